// Command convert turns a Terraform module into a Pulumi program with the engine's converter and prints it in the
// converter's own language (PCL), as `pulumi convert --from terraform` does before it writes another one.
//
//	convert -mapping netmgr.terraform.json -provider nsxt -schema netmgr.package.json folder
//
// Nothing is downloaded, and no plugin is started: the mapping is what the plugin answers GetMapping with.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/blang/semver"
	tf "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tf2pulumi/convert"
	"github.com/pulumi/pulumi/pkg/v3/codegen/convert"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	mapping := flag.String("mapping", "", "mapping, a JSON file")
	provider := flag.String("provider", "", "Terraform provider that the mapping is of")
	path := flag.String("schema", "", "schema of the package, a JSON file")
	flag.Parse()
	if err := run(*mapping, *provider, *path, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(mapping, provider, path, folder string) error {
	data, err := os.ReadFile(mapping)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	_, program, err := tf.Eject(folder, &loader{spec}, mapper{provider: provider, data: data})
	if err != nil {
		return err
	}
	for _, source := range program.Source() {
		fmt.Println(source)
	}
	return nil
}

// mapper answers for one provider.
type mapper struct {
	provider string
	data     []byte
}

func (m mapper) GetMapping(
	_ context.Context, provider string, _ *convert.MapperPackageHint, _ string,
) ([]byte, error) {
	if provider != m.provider {
		return nil, nil
	}
	return m.data, nil
}

// loader knows one package.
type loader struct{ spec schema.PackageSpec }

func (l *loader) LoadPackageV2(_ context.Context, wanted *schema.PackageDescriptor) (*schema.Package, error) {
	if wanted.PackageName() != l.spec.Name {
		return nil, fmt.Errorf("no schema for package %s", wanted.PackageName())
	}
	return schema.ImportSpec(l.spec, nil, l, schema.ValidationOptions{})
}

func (l *loader) LoadPackageReferenceV2(
	ctx context.Context, wanted *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	pkg, err := l.LoadPackageV2(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l *loader) LoadPackage(name string, version *semver.Version) (*schema.Package, error) {
	return l.LoadPackageV2(context.Background(), &schema.PackageDescriptor{Name: name, Version: version})
}

func (l *loader) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	return l.LoadPackageReferenceV2(
		context.Background(), &schema.PackageDescriptor{Name: name, Version: version})
}
