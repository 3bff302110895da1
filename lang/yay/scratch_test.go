package yay
import ("testing";"os";"github.com/yaytpl/yaytpl/source";"path/filepath";"strings";"fmt")
func TestScratch(t *testing.T){
 if os.Getenv("YAYDIR")=="" {t.Skip()}
 fs,_:=filepath.Glob(os.Getenv("YAYDIR"))
 for _,f:=range fs { b,_:=os.ReadFile(f)
  txt:=string(b)
  if i:=strings.Index(txt,"-- main.yay --\n"); i>=0 { txt=txt[i+15:]; if j:=strings.Index(txt,"\n-- "); j>=0 {txt=txt[:j+1]} }
  tr,ds:=Parse(source.NewFile("main.yay",txt),Options{})
  fmt.Println("===",filepath.Base(f)); fmt.Print(txt); fmt.Println("---")
  for _,d:=range ds { var w strings.Builder; d.WriteText(&w,source.TextStyle{}); fmt.Print(w.String())}
  if tr!=nil {fmt.Print(dump(tr))}
 }
}
