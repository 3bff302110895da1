package source

import "strings"

// Messages quote what the user wrote, which may be long. Of those with more than
// maxMessage bytes about so many are shown as messageHead and messageTail say.
const (
	maxMessage  = 1000
	messageHead = 600
	messageTail = 300
)

// shortened leaves out the middle of a long message.
func shortened(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	head, tail := message[:messageHead], message[len(message)-messageTail:]
	return strings.ToValidUTF8(head, "") + ellipsis + strings.ToValidUTF8(tail, "")
}
