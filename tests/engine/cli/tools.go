//go:build tools

// Package tools keeps the engine's command line a requirement of this module.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
