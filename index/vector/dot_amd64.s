//go:build !purego

#include "textflag.h"

// func dotRowsAVX(q, rows *float32, dim, n int, out *float32)
//
// Lane i of an accumulator is the sum s_i of Dot, and the lanes are added in the
// order of Dot, so the results are the same to the last bit. Four rows are done
// together, because an addition takes four cycles and depends on the one before.
TEXT ·dotRowsAVX(SB), NOSPLIT, $0-40
	MOVQ q+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ dim+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ out+32(FP), BX
	SHLQ $2, DX // bytes of a row

four:
	CMPQ CX, $4
	JLT  one
	LEAQ (DI)(DX*1), R8
	LEAQ (DI)(DX*2), R9
	LEAQ (R8)(DX*2), R10
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ AX, AX

fourLoop:
	VMOVUPS (SI)(AX*1), Y4
	VMULPS (DI)(AX*1), Y4, Y5
	VMULPS (R8)(AX*1), Y4, Y6
	VMULPS (R9)(AX*1), Y4, Y7
	VMULPS (R10)(AX*1), Y4, Y8
	VADDPS Y5, Y0, Y0
	VADDPS Y6, Y1, Y1
	VADDPS Y7, Y2, Y2
	VADDPS Y8, Y3, Y3
	ADDQ $32, AX
	CMPQ AX, DX
	JLT  fourLoop

	VHADDPS Y1, Y0, Y0 // a0+a1 a2+a3 b0+b1 b2+b3, a4+a5 …
	VHADDPS Y3, Y2, Y2
	VHADDPS Y2, Y0, Y0 // (a0+a1)+(a2+a3) b… c… d…, (a4+a5)+(a6+a7) …
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VMOVUPS X0, (BX)
	LEAQ (DI)(DX*4), DI
	ADDQ $16, BX
	SUBQ $4, CX
	JMP  four

one:
	TESTQ CX, CX
	JZ   done
	VXORPS Y0, Y0, Y0
	XORQ AX, AX

oneLoop:
	VMOVUPS (SI)(AX*1), Y4
	VMULPS (DI)(AX*1), Y4, Y5
	VADDPS Y5, Y0, Y0
	ADDQ $32, AX
	CMPQ AX, DX
	JLT  oneLoop

	VHADDPS Y0, Y0, Y0
	VHADDPS Y0, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDSS X1, X0, X0
	VMOVSS X0, (BX)
	ADDQ DX, DI
	ADDQ $4, BX
	DECQ CX
	JMP  one

done:
	VZEROUPPER
	RET
