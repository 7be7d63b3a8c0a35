func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: composite-C1
  %0 = "stablehlo.composite"(%x) <{name = "nameless", decomposition = @g}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: composite-C2
  %0 = "stablehlo.composite"(%x) <{name = "my.op", decomposition = @h}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: composite-C3
  %0 = "stablehlo.composite"(%x) <{name = "my.op", decomposition = @g}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(tensor<8xf32>) -> tensor<4xf32>
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: composite-C4
  %0 = "stablehlo.composite"(%x) <{name = "my.op", decomposition = @g}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(tensor<4xf32>) -> tensor<8xf32>
// -----
func.func @main(%x: f32) -> tensor<4xf32> {
  // expect: composite-I1
  %0 = "stablehlo.composite"(%x) <{name = "my.op", decomposition = @g}> : (f32) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(f32) -> tensor<4xf32>
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: composite-I2
  %0 = "stablehlo.composite"(%x) <{name = 1 : i32, decomposition = @g}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: composite-I3
  %0 = "stablehlo.composite"(%x) <{name = "my.op", composite_attributes = "none", decomposition = @g}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: composite-I4
  %0 = "stablehlo.composite"(%x) <{name = "my.op", decomposition = "g"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
// -----
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expect: composite-I5
  %0 = "stablehlo.composite"(%x) <{name = "my.op", decomposition = @g, version = 1 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
