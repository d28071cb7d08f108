// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// story is a failure that people have met with other providers, and what shows that it does not happen here.
type story struct {
	number int
	what   string
	// tests are what shows it, as folder below internal and name of the test.
	tests []string
	// except says what of it does not concern this provider, and why.
	except string
}

// The sorts of stories: A. interrupted creates, orphans, duplicates; B. rate limits, transport, credentials; C. eventual
// consistency, busy objects, failed actions; D. capacity, catalogue, images, prices.
var stories = []story{
	{number: 1, what: "Ctrl-C while the create is on the wire leaks the object", tests: []string{
		"acceptance/chaos.TestEveryInterruption", "acceptance/chaos.TestEveryStrike", "compute.TestAnInterruptDoesNotCutTheRequest",
	}},
	{number: 2, what: "Ctrl-C in the wait loses an object whose id was known", tests: []string{
		"acceptance.TestInterruptedDuringTheWait", "acceptance.TestInterruptedTwice", "provider/instance.TestAnInterruptedCreateIsAWarningAndIsFinishedInPlace",
	}},
	{number: 3, what: "CLI and provider are killed: nothing was saved", tests: []string{
		"acceptance.TestKilledWhileTheCreateIsAnswered", "acceptance.TestKilledBeforeTheStateWasStoredWithOwner",
		"acceptance.TestKilledBeforeTheStateWasStoredWithoutOwner",
	}},
	{number: 4, what: "the create's action fails later, and the machine stays", tests: []string{
		"compute.TestAFailedOperationKeepsTheMachineAndSaysWhy", "cloud/hetzner.TestAnActionThatFails", "acceptance/chaos.TestTroubles",
	}},
	{number: 6, what: "a create that is sent again after a lost answer makes twins", tests: []string{
		"cloud/digitalocean.TestALostAnswerOfACreateMakesOneDroplet", "compute.TestALostAnswerIsLookedForAndNeverSentAgain",
	}},
	{number: 7, what: "a new machine at every apply, since the old one is not recognized", tests: []string{
		"cloud/digitalocean.TestACreateThatIsNotFoundAgainNamesItsKeyAndTheNextOneAdopts",
		"provider/instance.TestAStateThatWasLostTakesItsMachineBackByItsOwner", "cloud/digitalocean.TestTwoDropletsWithOurKeyAreBothNamed",
	}},
	{number: 8, what: "a create that is repeated meets its own machine, or somebody else's of that name", tests: []string{
		"cloud/hetzner.TestLostAnswers", "acceptance/chaos.TestTroubles",
	}},
	{number: 9, what: "the object is removed from the configuration while its create is unfinished", tests: []string{
		"acceptance/chaos.TestAnUnfinishedObjectIsDestroyed", "provider/provideraddress.TestAccAddressesAreListed",
	}},
	{number: 11, what: "half of the deletes of many machines are refused", tests: []string{
		"acceptance/chaos.TestHalfOfTheDeletesAreRefused", "provider/provideraddress.TestAccTwentyAddressesAreDestroyedWithTheirMachines",
	}},
	{number: 13, what: "after an interrupt the state lacks what later calls need", tests: []string{
		"provider/instance.TestAPlanThatHasBegunIsSavedWithTheMachineAndWithoutUnknowns", "acceptance.TestInterruptedDuringTheWait",
	}},
	{number: 14, what: "a caller drops the state that comes with an error", tests: []string{
		"provider/instance.TestACreateThatRanOutOfTimeIsFinishedInPlaceOnceItIsUntainted",
	}, except: "What callers do with an answer is theirs; the test shows that each answer of a create that knows its machine brings it."},
	{number: 15, what: "create_before_destroy adopts the old machine under the same key, and then removes it", tests: []string{
		"acceptance/chaos.TestATaintedMachineWithCreateBeforeDestroy", "provider/instance.TestAReplacementWithTheIdOfTheOldMachineWarnsOfCreateBeforeDestroy",
	}},

	{number: 16, what: "thirty machines at once use up the hour's requests by asking how far they are", tests: []string{
		"compute.TestManyCreatesShareListsAndPolls", "acceptance.TestManyMachinesAtOnce", "transport.TestThirtyRequestsOnAnEmptyBucket",
	}},
	{number: 17, what: "a limit is used up in the middle of a plan, and is whole again in 20 seconds or in 50 minutes", tests: []string{
		"acceptance/chaos.TestStorms", "transport.TestAnEmptyBucketStopsEverybodyWithTheSameToken",
	}},
	{number: 18, what: "DigitalOcean's second limit, of a minute", tests: []string{
		"acceptance/chaos.TestLimitsOfAMinute", "cloud/digitalocean.TestTheMinuteLimitIsObeyed",
	}},
	{number: 19, what: "a refusal for good is repeated until everything is throttled", tests: []string{
		"compute.TestARefusalIsSentOnce", "acceptance/chaos.TestTroubles",
	}},
	{number: 21, what: "a revoked token shows as a fault of JSON", tests: []string{
		"provider/instance.TestAWrongTokenIsAnErrorAtTheAccount", "cloud/digitalocean.TestAnswersThatAreNotTheVendors",
		"acceptance.TestNothingLeavesTheStateForTheWrongReason",
	}},

	{number: 23, what: "not found right after the create", tests: []string{
		"cloud/digitalocean.TestADropletMayTakeAMomentToAppear", "compute.TestAMachineMayTakeAMomentToAppear",
	}},
	{number: 24, what: "not found in the wait erases the id", tests: []string{
		"compute.TestATimeoutKeepsAMachineThatMayStillAppear", "compute.TestAMachineThatNeverAppearsIsNotKept",
	}},
	{number: 25, what: "accepted, then there is no room and the object disappears", tests: []string{
		"cloud/digitalocean.TestACreateThatComesToNothingEndsWithinTwoPolls", "acceptance/chaos.TestTroubles",
	}},
	{number: 27, what: "an address is assigned while its machine is busy", tests: []string{
		"acceptance/chaos.TestTroubles", "compute.TestAnAddressWhoseOperationIsNeverShownIsJudgedByItsHolder",
	}},
	{number: 28, what: "an address is released straight after it was taken off", tests: []string{"acceptance/chaos.TestTroubles"}},
	{number: 29, what: "a destroy is held up by what is pending, and finds the machine gone", tests: []string{
		"acceptance/chaos.TestTroubles", "acceptance/chaos.TestHalfOfTheDeletesAreRefused",
	}},
	{number: 30, what: "a destroy is reported, and the machine is still there", tests: []string{"acceptance/chaos.TestTroubles"}},
	{number: 31, what: "two changes of one machine at once: it is locked", tests: []string{
		"compute.TestChangesOfOneMachineQueueUp", "compute.TestAnotherProcessesChangeIsWaitedOut", "acceptance/chaos.TestTroubles",
	}},
	{number: 32, what: "delete protection is lifted in silence, or waited for in vain", tests: []string{
		"compute.TestAProtectedMachineIsRefusedAtOnce", "cloud/proxmox.TestAProtectedMachineIsNotTouched",
	}},
	{number: 34, what: "a fixed time for the create, and what is not ready by then is deleted and made again", tests: []string{
		"compute.TestATimeoutKeepsTheMachineAndSaysHowToGoOn",
	}},

	{number: 35, what: "no room, though the catalogue offers it", tests: []string{"compute.TestNoRoomNamesOtherRegions", "acceptance/chaos.TestTroubles"}},
	{number: 36, what: "a full quota looks like throttling, or like missing rights", tests: []string{
		"acceptance/chaos.TestTroubles", "cloud/digitalocean.TestTheQuotaIsNamed", "provider/provideraddress.TestAccAQuotaIsNamed", "cloud/hetzner.TestTheVendorsCodes",
	}},
	{number: 37, what: "a size is listed and refused", tests: []string{
		"cloud/digitalocean.TestASizeCanBeOrderedWhenSizeAndRegionSaySo", "compute.TestAnOfferThatIsNotSoldHereNamesTheRegionsThatHaveIt",
	}},
	{number: 39, what: "a deprecated image is not found", tests: []string{"cloud/hetzner.TestImagesShowDeprecation"}},
	{number: 40, what: "an image by its id or its name: replaced every time", tests: []string{
		"acceptance/chaos.TestAnImageByItsID", "provider/instance.TestAnImportedMachineIsTakenAsItIsWritten",
	}},
	{number: 42, what: "a field disappears from the API", tests: []string{
		"acceptance/chaos.TestEveryField", "cloud/hetzner.TestNoFieldIsMissed", "cloud/digitalocean.TestAnswersThatLackSomething",
	}},
	{number: 44, what: "what one vendor lacks ends the caller", tests: []string{
		"provider/instance.TestWhatAVendorHasNotIsRefusedWithoutACall", "provider/certificate.TestAVendorWithoutCertificates",
		"provider/provideraddress.TestAVendorWithoutAddressesIsRefusedWithoutACall",
	}},
	{number: 45, what: "only the first page is read", tests: []string{
		"cloud/hetzner.TestListsReadAllPages", "cloud/hetzner.TestListsGiveAMovedObjectOnceAndEnd", "cloud/digitalocean.TestAReadOf300DropletsIsTwoCalls",
	}},
}

// TestEveryStoryIsShown looks whether the tests are there.
func TestEveryStoryIsShown(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]map[string]bool{}
	for _, story := range stories {
		if len(story.tests) == 0 && story.except == "" {
			t.Errorf("%d, %s: neither a test nor a reason", story.number, story.what)
		}
		for _, name := range story.tests {
			folder, test, _ := strings.Cut(name, ".")
			if there[folder] == nil {
				there[folder] = testsOf(t, filepath.Join(root, "internal", filepath.FromSlash(folder)))
			}
			if !there[folder][test] {
				t.Errorf("%d, %s: there is no test %s in internal/%s", story.number, story.what, test, folder)
			}
		}
	}
}

// testsOf are the names of the tests of a folder.
func testsOf(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range parsed.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv == nil && strings.HasPrefix(function.Name.Name, "Test") {
				found[function.Name.Name] = true
			}
		}
	}
	return found
}
