package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net"
	"net/http"
)

// serveLogo serves a plain icon on loopback and returns its address. The generator of .NET SDKs downloads the
// icon of the NuGet package; without an address of the package's own it takes one from the Internet.
func serveLogo() (address string, stop func(), err error) {
	const side = 64
	icon := image.NewRGBA(image.Rect(0, 0, side, side))
	for x := range side {
		for y := range side {
			icon.Set(x, y, color.RGBA{R: 0x2f, G: 0x6f, B: 0x8f, A: 0xff})
		}
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, icon); err != nil {
		return "", nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(encoded.Bytes())
	})}
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String() + "/logo.png", func() { _ = server.Close() }, nil
}
