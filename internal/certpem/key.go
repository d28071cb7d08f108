// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certpem

import (
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"strings"
)

// publicKey is what every public key of the standard library has.
type publicKey interface {
	Equal(other crypto.PublicKey) bool
}

// KeyPEM answers a private key in the one spelling that is uploaded, once it is seen to be the leaf's. Its errors are of type
// *Fault.
func (b Bundle) KeyPEM(text string) (string, error) {
	block, err := keyBlock(text)
	if err != nil {
		return "", err
	}
	key, err := parseKey(block)
	if err != nil {
		return "", err
	}
	own, ok := key.Public().(publicKey)
	if !ok {
		return "", &Fault{PrivateKey, "is of a sort that has no public key to compare"}
	}
	if own.Equal(b.Leaf.PublicKey) {
		return encode(block.Type, block.Bytes), nil
	}
	for _, certificate := range b.Chain {
		if own.Equal(certificate.PublicKey) {
			return "", &Fault{Certificate, "must begin with the certificate of the private key: the key belongs to another one that follows (" + subject(certificate) + ")"}
		}
	}
	return "", &Fault{PrivateKey, "is not the key of the certificate (" + subject(b.Leaf) + "): it belongs to another one"}
}

// keyBlock answers the one private key of a text.
func keyBlock(text string) (*pem.Block, error) {
	found, err := blocks(PrivateKey, text)
	if err != nil {
		return nil, err
	}
	var keys []*pem.Block
	for _, block := range found {
		if strings.HasSuffix(block.Type, "PRIVATE KEY") {
			keys = append(keys, block)
		}
	}
	switch {
	case len(keys) == 0:
		return nil, missing(PrivateKey, text, "PRIVATE KEY")
	case len(keys) > 1:
		return nil, &Fault{PrivateKey, "holds more than one private key"}
	case keys[0].Type == "ENCRYPTED PRIVATE KEY", strings.Contains(keys[0].Headers["Proc-Type"], "ENCRYPTED"):
		return nil, &Fault{PrivateKey, "is encrypted with a password: load balancers need it without one"}
	}
	return keys[0], nil
}

func parseKey(block *pem.Block) (interface{ Public() crypto.PublicKey }, error) {
	var key any
	var err error
	switch block.Type {
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	default:
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	signer, ok := key.(interface{ Public() crypto.PublicKey })
	if err != nil || !ok {
		// The words of the error may hold parts of the key.
		return nil, &Fault{PrivateKey, "is damaged, or of a sort that is not known: RSA, EC and Ed25519 keys as PKCS #1, SEC 1 or PKCS #8 can be read"}
	}
	return signer, nil
}
