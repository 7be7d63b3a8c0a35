func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: use-before-definition
  %0 = stablehlo.add %a, %1 : tensor<2xf32>
  %1 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  cf.cond_br %p, ^b, ^c
^c:
  // expect: use-before-definition
  return %0 : tensor<2xf32>
^b:
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  cf.br ^c
}
// -----
// expect: missing-terminator
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
}
// -----
// expect: missing-terminator
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
}
// -----
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: misplaced-terminator
  return %a : tensor<2xf32>
  return %a : tensor<2xf32>
}
// -----
// expect: missing-terminator
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  func.return %a : tensor<2xf32>
  %0 = stablehlo.add %a, %a : tensor<2xf32>
}
// -----
func.func @f() { return }
// expect: duplicate-symbol
func.func @f() { return }
// -----
"a.b"() {sym_name = "f"} : () -> ()
// expect: duplicate-symbol
func.func private @f()
// -----
func.func @f(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  // expect: if-I3
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  // expect: if-I3
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {}) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  // expect: if-regions
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, { stablehlo.return %a : tensor<2xf32> }, { stablehlo.return %a : tensor<2xf32>}) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  // expect: missing-terminator
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, { %1 = stablehlo.add %a, %a : tensor<2xf32> }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  // expect: wrong-terminator
  }, { func.return %a : tensor<2xf32> }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  // expect: if-I3
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, { 
   cf.br ^b
^b:
stablehlo.return %a : tensor<2xf32> }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    // expect: use-before-definition
    stablehlo.return %1 : tensor<2xf32>
  }, { 
   %1 = stablehlo.add %a, %a : tensor<2xf32>
stablehlo.return %1 : tensor<2xf32> }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    // expect: use-before-definition
    stablehlo.return %0 : tensor<2xf32>
  }, { 
   %1 = stablehlo.add %a, %a : tensor<2xf32>
stablehlo.return %1 : tensor<2xf32> }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: add-regions
  %0 = "stablehlo.add"(%a, %a) ({
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// expect: missing-terminator
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%a, %a)[^b] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
^b:
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: successors
  "cf.br"(%a)[^b] : (tensor<2xf32>) -> ()
^b(%0: tensor<3xf32>):
  return %a : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: successors
  "cf.br"(%a)[^b] : (tensor<2xf32>) -> ()
^b(%0: tensor<2xf32>, %1: tensor<2xf32>):
  return %a : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  // expect: successors
  "cf.cond_br"(%p)[^b] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^b:
  return %a : tensor<2xf32>
}
// -----
// expect: wrong-terminator
func.return
// -----
// expect: duplicate-symbol
module @a { module @f { func.func @f() { return } } func.func @f() { return }}
// -----
// expect: block-arguments
"builtin.module"() ({^bb0(%a : i32): 
}) : () -> ()
// -----
func.func @f() { 
  // expect: misplaced-symbol
  func.func @g() { return }
  return
}
