// Command sdkgen binds a package schema as the engine does, prints every diagnostic, and writes the
// package's SDKs for Node.js, Python and Go. A warning fails it too: a schema of this project has none.
//
//	sdkgen -schema netmgr.package.json -out sdks [-with aws.json]...
//
// Packages that the schema refers to are read from the files given with -with; nothing is downloaded.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

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
	flag.Func("with", "package schema that the other one refers to; may be repeated", packages.add)
	flag.Parse()
	if err := run(*path, *out, packages); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(path, out string, loader schema.ReferenceLoader) error {
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
	}
	for language, generate := range generators {
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
