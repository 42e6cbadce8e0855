// The session with the referee: reads questions from stdin and writes answers to stdout.
package main

import (
	"bufio"
	"io"
	"log"
	"os"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// View is the table as this seat may see it. Each game has its own keys (`bullring docs games`); those that are missing are empty.
type View struct {
	Deal     int     `msgpack:"deal"`
	Turn     int     `msgpack:"turn"`
	Rows     [][]int `msgpack:"rows"`
	RowHeads []int   `msgpack:"row_heads"`
	Played   [][]int `msgpack:"played"`
	Piles    [][]int `msgpack:"piles"`
	Heads    []int   `msgpack:"heads"`
	Scores   []int   `msgpack:"scores"`
	Seat     int     `msgpack:"seat"`
	Hand     []int   `msgpack:"hand"`
}

// Option is a Number, a Word such as "stop", or a List of numbers; the others are zero.
type Option struct {
	Number int
	Word   string
	List   []int
	raw    msgpack.RawMessage // as it came, and so as it goes back
}

func (o *Option) DecodeMsgpack(decoder *msgpack.Decoder) (err error) {
	if o.raw, err = decoder.DecodeRaw(); err != nil {
		return err
	}
	switch code := o.raw[0]; {
	case msgpcode.IsString(code):
		return msgpack.Unmarshal(o.raw, &o.Word)
	case code == msgpcode.Array16, code == msgpcode.Array32, msgpcode.IsFixedArray(code):
		return msgpack.Unmarshal(o.raw, &o.List)
	}
	return msgpack.Unmarshal(o.raw, &o.Number)
}

func (o Option) EncodeMsgpack(encoder *msgpack.Encoder) error {
	return encoder.Encode(o.raw)
}

type hello struct {
	Type     string `msgpack:"type"`
	Protocol int    `msgpack:"protocol"`
	Name     string `msgpack:"name"`
}

type choice struct {
	Type   string `msgpack:"type"`
	ID     int    `msgpack:"id"`
	Option Option `msgpack:"option"`
}

// play is the session: it ends with a bye, or with the input.
func play(input io.Reader, output io.Writer) error {
	if err := send(output, hello{"hello", 1, "Go kit"}); err != nil {
		return err
	}
	decoder := msgpack.NewDecoder(bufio.NewReader(input))
	for {
		raw, err := decoder.DecodeRaw()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		var message struct {
			Type  string `msgpack:"type"`
			Clock string `msgpack:"clock"`
		}
		if err := msgpack.Unmarshal(raw, &message); err != nil {
			return err
		}
		switch message.Type {
		case "welcome":
			matchBegins(message.Clock)
		case "decide":
			if err := answer(output, raw); err != nil {
				return err
			}
		case "bye":
			return nil
		}
	}
}

func answer(output io.Writer, raw msgpack.RawMessage) error {
	// Not one struct for all messages: `options` is a list here, but a map in a welcome.
	var decide struct {
		ID      int                `msgpack:"id"`
		Kind    string             `msgpack:"kind"`
		View    msgpack.RawMessage `msgpack:"view"`
		Options []Option           `msgpack:"options"`
		Time    struct {
			Limit int64 `msgpack:"limit_us"`
		} `msgpack:"time"`
	}
	if err := msgpack.Unmarshal(raw, &decide); err != nil {
		return err
	}
	questionComes(decide.Time.Limit)
	var view View
	if err := msgpack.Unmarshal(decide.View, &view); err != nil {
		log.Print("a view of another shape, perhaps of a new game: ", err)
	}
	return send(output, choice{"choice", decide.ID, choose(decide.Kind, view, decide.Options)})
}

// send writes a message in one piece, and without a buffer, so that nothing has to be flushed.
func send(output io.Writer, message any) error {
	data, err := msgpack.Marshal(message)
	if err == nil {
		_, err = output.Write(data)
	}
	return err
}

func main() {
	log.SetFlags(0) // log and println write to stderr; stdout belongs to the referee
	if err := play(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
