package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// fileLoader answers with the schemas of files, by package name. A schema without a version is of
// whatever version is asked for.
type fileLoader map[string]schema.PackageSpec

func (l fileLoader) add(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	l[spec.Name] = spec
	return nil
}

func (l fileLoader) LoadPackageV2(_ context.Context, wanted *schema.PackageDescriptor) (*schema.Package, error) {
	spec, ok := l[wanted.PackageName()]
	if !ok {
		return nil, fmt.Errorf("package %s: no schema was given for it; use -with", wanted.PackageName())
	}
	if version := wanted.PackageVersion(); spec.Version == "" && version != nil {
		spec.Version = version.String()
	}
	return schema.ImportSpec(spec, nil, l, schema.ValidationOptions{})
}

func (l fileLoader) LoadPackageReferenceV2(
	ctx context.Context, wanted *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	pkg, err := l.LoadPackageV2(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l fileLoader) LoadPackage(name string, version *semver.Version) (*schema.Package, error) {
	return l.LoadPackageV2(context.Background(), &schema.PackageDescriptor{Name: name, Version: version})
}

func (l fileLoader) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	return l.LoadPackageReferenceV2(
		context.Background(), &schema.PackageDescriptor{Name: name, Version: version})
}
