// SPDX-License-Identifier: GPL-2.0-only
/* What both programs have in common: quarter(), other() and half() are called in turn; argument: seconds */
package main

import (
	"os"
	"strconv"
	"time"
)

var sum uint32

//go:noinline
func spin(n uint32) uint32 {
	s := uint32(0)
	for i := uint32(0); i < n; i++ {
		s = s*31 + i
	}
	return s
}

//go:noinline
func quarter(n uint32) uint32 { return spin(n) + 1 }

//go:noinline
func other(n uint32) uint32 { return spin(n) + 2 }

//go:noinline
func run(n uint32) uint32 { return quarter(n) + other(n) + half(n) }

func main() {
	seconds, _ := strconv.Atoi(os.Args[1])
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	done := make(chan bool)
	go func() {
		for time.Now().Before(end) {
			sum += run(20000)
		}
		done <- true
	}()
	<-done
}
