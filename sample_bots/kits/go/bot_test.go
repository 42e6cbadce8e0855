package main

import (
	"bytes"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/vmihailenco/msgpack/v5"
)

type message = map[string]any

func TestStrategy(t *testing.T) {
	view := View{Rows: [][]int{{1, 2, 3, 4, 5}, {20}, {40}, {60}}, RowHeads: []int{6, 3, 3, 3}}
	for _, test := range []struct {
		about, kind string
		options     []int
		answer      int
	}{
		{"the closest card", "card", []int{7, 35, 63, 90}, 63},
		{"no card that takes a row", "card", []int{7, 39}, 39},
		{"the cheapest row", "row", []int{1, 2, 3, 4}, 2},
		{"the first option of what is not known", "knit", []int{9, 5}, 9},
		{"the first option if the strategy fails", "row", []int{17, 18}, 17},
	} {
		question := Question{Kind: test.kind, View: view}
		for _, number := range test.options {
			question.Options = append(question.Options, Option{Number: number})
		}
		if got := chooseSafely(question).Number; got != test.answer {
			t.Errorf("%s: got %d, expected %d", test.about, got, test.answer)
		}
	}
}

// A whole session, byte by byte, with everything that a later game or protocol may add.
func TestSession(t *testing.T) {
	var input, output bytes.Buffer
	options := []any{int8(5), "stop", []any{}, []any{int8(3), int8(104)}, 1 << 20}
	input.Write(packed(t, message{"type": "welcome", "game": "new", "options": message{"deals": nil}, "seats": 4, "seat": 3, "seed": 1 << 47}))
	for i := range options {
		view := message{"rows": "of another shape", "new": message{}}
		input.Write(packed(t, message{"type": "news", "options": 3}))
		input.Write(packed(t, message{"type": "decide", "id": 1<<31 - 1, "kind": "new", "view": view, "options": options[i:], "fault": "none"}))
	}
	input.Write(packed(t, message{"type": "match_over", "ranks": []int{}, "void": true}))
	input.Write(packed(t, message{"type": "bye"}))
	if err := play(iotest.OneByteReader(&input), &output); err != nil {
		t.Fatal(err)
	}
	expected := packed(t, hello{"hello", 1, "Go starter"})
	for _, option := range options {
		expected = append(expected, packed(t, message{"type": "choice", "id": 1<<31 - 1, "option": option})...)
	}
	if got := unpacked(t, output.Bytes()); !reflect.DeepEqual(got, unpacked(t, expected)) {
		t.Errorf("got %v", got)
	}
}

func packed(t *testing.T, value any) []byte {
	data, err := msgpack.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func unpacked(t *testing.T, data []byte) (messages []any) {
	for decoder := msgpack.NewDecoder(bytes.NewReader(data)); ; {
		value, err := decoder.DecodeInterfaceLoose()
		if err != nil {
			return messages
		}
		messages = append(messages, value)
	}
}
