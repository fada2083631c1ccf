// Command sdkgen binds a package schema as the engine does, prints every diagnostic, and writes the
// package's SDKs for Node.js, Python, Go, .NET and Java. A warning fails it too: a schema of this project
// has none.
//
//	sdkgen -schema netmgr.package.json -out sdks [-with aws.json]... [-language go]...
//
// Packages that the schema refers to are read from the files given with -with; nothing is downloaded.
// All languages are written unless some are named.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	dotnet "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "sdkgen"

func main() {
	path := flag.String("schema", "", "package schema, a JSON file")
	out := flag.String("out", "", "folder for the SDKs; none are written without it")
	packages := fileLoader{}
	var languages []string
	flag.Func("language", "write this SDK only; may be repeated", func(language string) error {
		languages = append(languages, language)
		return nil
	})
	flag.Func("with", "package schema that the other one refers to; may be repeated", packages.add)
	flag.Parse()
	if err := run(*path, *out, languages, packages); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(path, out string, languages []string, loader schema.ReferenceLoader) error {
	if _, err := bind(path, loader); err != nil {
		return err
	}
	if out == "" {
		return nil
	}
	generators := map[string]func(*schema.Package) (map[string][]byte, error){
		"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
			return nodejs.GeneratePackage(tool, pkg, nil, nil, false, loader)
		},
		"python": func(pkg *schema.Package) (map[string][]byte, error) {
			return python.GeneratePackage(tool, pkg, nil, loader)
		},
		"go": func(pkg *schema.Package) (map[string][]byte, error) {
			return gogen.GeneratePackage(tool, pkg, nil)
		},
		"dotnet": func(pkg *schema.Package) (map[string][]byte, error) {
			logo, stop, err := serveLogo()
			if err != nil {
				return nil, err
			}
			defer stop()
			pkg.LogoURL = logo
			return dotnet.GeneratePackage(tool, pkg, nil, nil)
		},
		"java": func(pkg *schema.Package) (map[string][]byte, error) {
			plainOutputsOfComponents(pkg)
			return java.GeneratePackage(tool, pkg, nil, nil, false, false)
		},
	}
	for _, language := range languages {
		if generators[language] == nil {
			return fmt.Errorf("there is no generator for %q", language)
		}
	}
	for language, generate := range generators {
		if len(languages) > 0 && !slices.Contains(languages, language) {
			continue
		}
		// Bound once per language: generators leave their settings in the package.
		pkg, err := bind(path, loader)
		if err != nil {
			return err
		}
		files, err := generate(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		if err := write(filepath.Join(out, language), files); err != nil {
			return err
		}
	}
	return nil
}

// plainOutputsOfComponents takes the secret marks from outputs of components. Java's generator writes a resource
// option for them that components do not have, so that the SDK would not compile. Such outputs are secret all
// the same: the engine marks their values.
func plainOutputsOfComponents(pkg *schema.Package) {
	for _, resource := range pkg.Resources {
		if !resource.IsComponent {
			continue
		}
		for _, property := range resource.Properties {
			property.Secret = false
		}
	}
}

// bind reads and binds a schema. Diagnostics of any severity are printed and are an error.
func bind(path string, loader schema.Loader) (*schema.Package, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	for _, diagnostic := range diagnostics {
		fmt.Fprintln(os.Stderr, diagnostic)
	}
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, fmt.Errorf("%s: %d diagnostics", path, len(diagnostics))
	}
	return pkg, nil
}

func write(folder string, files map[string][]byte) error {
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
