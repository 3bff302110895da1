package filters

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/yaytpl/yaytpl/internal/lazy"
)

// encodingOf returns the encoding that Python calls by a name, nil for UTF-8. Letter case does not
// count, and "-" and " " are as good as "_".
func encodingOf(name string) (encoding.Encoding, error) {
	key := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(name))
	if key = strings.TrimPrefix(key, "iso_"); strings.HasPrefix(key, "8859_") {
		key = "iso" + key
	}
	key = strings.Replace(strings.Replace(key, "iso_8859", "iso8859", 1), "windows_", "cp", 1)
	switch key {
	case "utf_8", "utf8", "u8", "utf", "cp65001":
		return nil, nil
	case "ascii", "us_ascii", "646":
		return ascii{}, nil
	case "utf_16", "utf16", "u16":
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	case "utf_32", "utf32", "u32":
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), nil
	case "utf_16le", "utf_16_le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), nil
	case "utf_16be", "utf_16_be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), nil
	case "utf_32le", "utf_32_le":
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), nil
	case "utf_32be", "utf_32_be":
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), nil
	case "utf_8_sig":
		return unicode.UTF8BOM, nil
	case "latin_1", "latin1", "latin", "l1", "8859", "iso8859", "iso8859_1", "cp819":
		return charmap.ISO8859_1, nil
	case "shift_jis", "shiftjis", "sjis", "s_jis", "cp932", "ms932", "mskanji", "ms_kanji", "csshiftjis":
		return japanese.ShiftJIS, nil
	case "euc_jp", "eucjp", "ujis", "u_jis":
		return japanese.EUCJP, nil
	case "iso2022_jp", "iso2022jp", "csiso2022jp", "2022_jp":
		return japanese.ISO2022JP, nil
	case "euc_kr", "euckr", "korean", "ksc5601", "ks_c_5601", "cp949", "uhc", "ms949":
		return korean.EUCKR, nil
	case "gbk", "cp936", "ms936", "936", "gb2312", "gb2312_1980", "gb2312_80", "euc_cn", "euccn", "chinese":
		return simplifiedchinese.GBK, nil
	case "gb18030", "gb18030_2000":
		return simplifiedchinese.GB18030, nil
	case "hz", "hzgb", "hz_gb", "hz_gb_2312":
		return simplifiedchinese.HZGB2312, nil
	case "big5", "big5_tw", "csbig5", "cp950", "ms950", "950":
		return traditionalchinese.Big5, nil
	}
	if e, ok := singleByte.Get()[strings.ReplaceAll(key, "_", "")]; ok {
		return e, nil
	}
	return nil, fmt.Errorf("unknown encoding %q; examples are utf-8, utf-16-le, ascii, latin-1, cp1252, iso8859-15, shift_jis, gbk", name)
}

// singleByte are encodings with one byte for a character, by Python's names without "_".
var singleByte = lazy.Value[map[string]*charmap.Charmap]{Make: func() map[string]*charmap.Charmap {
	return map[string]*charmap.Charmap{
		"cp037": charmap.CodePage037, "ibm037": charmap.CodePage037, "cp437": charmap.CodePage437, "ibm437": charmap.CodePage437, "437": charmap.CodePage437,
		"cp850": charmap.CodePage850, "ibm850": charmap.CodePage850, "850": charmap.CodePage850, "cp852": charmap.CodePage852, "ibm852": charmap.CodePage852,
		"cp855": charmap.CodePage855, "cp858": charmap.CodePage858, "cp860": charmap.CodePage860, "cp862": charmap.CodePage862, "cp863": charmap.CodePage863,
		"cp865": charmap.CodePage865, "cp866": charmap.CodePage866, "ibm866": charmap.CodePage866, "cp874": charmap.Windows874, "cp1140": charmap.CodePage1140, "cp1047": charmap.CodePage1047,
		"cp1250": charmap.Windows1250, "cp1251": charmap.Windows1251, "cp1252": charmap.Windows1252, "1252": charmap.Windows1252, "cp1253": charmap.Windows1253, "cp1254": charmap.Windows1254,
		"cp1255": charmap.Windows1255, "cp1256": charmap.Windows1256, "cp1257": charmap.Windows1257, "cp1258": charmap.Windows1258,
		"iso88592": charmap.ISO8859_2, "latin2": charmap.ISO8859_2, "iso88593": charmap.ISO8859_3, "latin3": charmap.ISO8859_3, "iso88594": charmap.ISO8859_4, "latin4": charmap.ISO8859_4,
		"iso88595": charmap.ISO8859_5, "cyrillic": charmap.ISO8859_5, "iso88596": charmap.ISO8859_6, "arabic": charmap.ISO8859_6, "iso88597": charmap.ISO8859_7, "greek": charmap.ISO8859_7,
		"iso88598": charmap.ISO8859_8, "hebrew": charmap.ISO8859_8, "iso88599": charmap.ISO8859_9, "latin5": charmap.ISO8859_9, "iso885910": charmap.ISO8859_10, "latin6": charmap.ISO8859_10,
		"iso885913": charmap.ISO8859_13, "latin7": charmap.ISO8859_13, "iso885914": charmap.ISO8859_14, "latin8": charmap.ISO8859_14, "iso885915": charmap.ISO8859_15, "latin9": charmap.ISO8859_15,
		"iso885916": charmap.ISO8859_16, "latin10": charmap.ISO8859_16, "koi8r": charmap.KOI8R, "koi8u": charmap.KOI8U, "macroman": charmap.Macintosh, "macintosh": charmap.Macintosh, "maccyrillic": charmap.MacintoshCyrillic,
	}
}}

// ascii is the encoding of bytes below 128.
type ascii struct{ encoding.Encoding }

// encoded returns the bytes of a text in an encoding.
func encoded(s, name string) ([]byte, error) {
	e, err := encodingOf(name)
	if err != nil || e == nil {
		return []byte(s), err
	}
	if e == (ascii{}) {
		for _, r := range s {
			if r >= utf8.RuneSelf {
				return nil, fmt.Errorf("the text has characters that %s does not have", name)
			}
		}
		return []byte(s), nil
	}
	out, err := e.NewEncoder().Bytes([]byte(s))
	if err != nil {
		return nil, fmt.Errorf("the text has characters that %s does not have", name)
	}
	return out, nil
}

// decoded returns the text of bytes in an encoding.
func decoded(b []byte, name string) (string, error) {
	e, err := encodingOf(name)
	if err != nil {
		return "", err
	}
	bad := fmt.Errorf("the decoded bytes are not text in %s", name)
	switch e := e.(type) {
	case nil:
		if !utf8.Valid(b) {
			return "", errors.New("the decoded bytes are not text in UTF-8")
		}
		return string(b), nil
	case ascii:
		for _, c := range b {
			if c >= utf8.RuneSelf {
				return "", bad
			}
		}
		return string(b), nil
	default:
		return decodedBy(e, b, bad)
	}
}

// decodedBy decodes bytes. The package replaces bytes that are not text by U+FFFD, so the result
// is encoded again to see whether there were some.
func decodedBy(e encoding.Encoding, b []byte, bad error) (string, error) {
	out, err := e.NewDecoder().Bytes(b)
	if err != nil || !utf8.Valid(out) {
		return "", bad
	}
	if strings.ContainsRune(string(out), utf8.RuneError) {
		again, err := e.NewEncoder().Bytes(out)
		if err != nil || string(again) != string(b) {
			return "", bad
		}
	}
	return string(out), nil
}
