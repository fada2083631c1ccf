//go:build tools

// Package tools keeps the language host for YAML programs a requirement of this module.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
