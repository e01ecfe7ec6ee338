package policy_test
import ("testing";"fmt";"os";"strings";"memoria/memory/policy";"memoria/memory")
func TestZZ(t *testing.T){
 b,_:=os.ReadFile("/tmp/probe.txt")
 p:=policy.New(policy.Default())
 for _,l:=range strings.Split(strings.TrimSpace(string(b)),"\n"){
  l=strings.ReplaceAll(l,`\n`,"\n")
  fmt.Printf("%q\n",l)
  for _,c:=range p.Extract(l){ a:=p.Admit(c,memory.TrustUser); x:=""; if c.Explicit {x="!"}; if c.Correction {x+="~"+c.Corrects}
   fmt.Printf("      %s%s %s | %s | %s | %s | [%s] %s\n",a.Verdict,x,c.Type,c.Key,c.Content,c.Value,l[c.Offset:c.Offset+c.Length],c.Rule)}
 }}
