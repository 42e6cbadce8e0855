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
	view := View{Rows: [][]int{{15}, {11, 13}, {8}, {50, 51, 52, 53, 54}}, RowHeads: []int{2, 6, 1, 11}}
	for _, test := range []struct {
		about, kind string
		options     []int
		answer      int
	}{
		{"a card that fits closely is better than a sixth one", "card", []int{1, 16, 60}, 16},
		{"the row with the fewest heads is taken", "row", []int{1, 2, 3, 4}, 3},
		{"the highest card is drafted", "draft", []int{1, 7, 10}, 10},
		{"an unknown kind gets the first option", "dance", []int{9, 5}, 9},
	} {
		var options []Option
		for _, number := range test.options {
			options = append(options, Option{Number: number})
		}
		if got := choose(test.kind, view, options).Number; got != test.answer {
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
	expected := packed(t, hello{"hello", 1, "Go kit"})
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
