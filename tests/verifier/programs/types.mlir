// label: quantized_type-C3
// expect: quantized_type-C3
func.func private @f(tensor<2x!quant.uniform<i8<-1000:10>:f32, 1.0>>)
// -----
// label: quantized_type-C5
// expect: quantized_type-C5
func.func private @f(tensor<2x!quant.uniform<i8:f32, -1.0>>)
// -----
// label: quantized_type-C6
// expect: quantized_type-C6
func.func private @f(tensor<2x!quant.uniform<i8:f32, 0x7FF0000000000000>>)
// -----
// label: quantized_type-C7
func.func @f(%x: tensor<2x!quant.uniform<i8:f32, 1.0:200>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:200>> {
  // expect: add-I1
  %0 = stablehlo.add %x, %x : tensor<2x!quant.uniform<i8:f32, 1.0:200>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 1.0:200>>
}
// -----
// label: quantized_type-C10
// expect: quantized_type-C10
func.func private @f(tensor<2x!quant.uniform<i8:f32, {1.0, 2.0}>>)
// -----
// label: quantized_type-C11
// expect: quantized_type-C11
func.func private @f(tensor<2x!quant.uniform<i8:f32:-1, {1.0, 2.0}>>)
// -----
// label: quantized_type-C12
func.func @f(%x: tensor<2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<2x!quant.uniform<i8:f32:1, {1.0, 2.0}>> {
  // expect: add-I1
  %0 = stablehlo.add %x, %x : tensor<2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return %0 : tensor<2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
}
// -----
// label: quantized_type-C13
func.func @f(%x: tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>> {
  // expect: add-I1
  %0 = stablehlo.add %x, %x : tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>
  return %0 : tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>
}
// -----
// label: integer_constant-C1
func.func @f() {
  // expect: integer_constant-C1
  %0 = stablehlo.constant dense<300> : tensor<i8>
  return
}
// -----
// label: float_constant-C1
func.func @f() {
  // expect: syntax
  %0 = stablehlo.constant dense<true> : tensor<f32>
  return
}
// -----
// label: float_constant-C2
func.func @f() {
  // expect: float_constant-C2
  %0 = stablehlo.constant dense<0x1FFFFFFFF> : tensor<f32>
  return
}
// -----
// label: complex_constant-C1
func.func @f() {
  // expect: syntax
  %0 = stablehlo.constant dense<(true, 1.0)> : tensor<complex<f32>>
  return
}
// -----
// label: complex_constant-C2
func.func @f() {
  // expect: syntax
  %0 = stablehlo.constant dense<(1.0, true)> : tensor<complex<f32>>
  return
}
// -----
// label: tensor_constant-C1
func.func @f() {
  // expect: syntax
  %0 = stablehlo.constant dense<[1.5, 2]> : tensor<2xi32>
  return
}
// -----
// label: tensor_constant-C2
func.func @f() {
  // expect: syntax
  %0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>
  return
}
// -----
// label: quantized_tensor_constant-C1
func.func @f() {
  // expect: syntax
  %0 = stablehlo.constant dense<[1.5, 2.0]> : tensor<2x!quant.uniform<i8:f32, 2.0>>
  return
}
// -----
// label: quantized_tensor_constant-C2
func.func @f() {
  // expect: syntax
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<2x!quant.uniform<i8:f32, 2.0>>
  return
}
// -----
// label: integer_constant-C1
func.func @f() {
  // expect: integer_constant-C1
  %0 = stablehlo.constant dense<[1, 200]> : tensor<2xi8>
  return
}
// -----
// label: float_constant-C2
func.func @f() {
  // expect: float_constant-C2
  %0 = stablehlo.constant dense<0x42f6> : tensor<f32>
  return
}
