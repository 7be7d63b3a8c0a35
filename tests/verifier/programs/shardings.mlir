sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: unknown-symbol
  %0 = sdy.sharding_constraint %a <@nope, [{"x"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = sdy.sharding_constraint %a <@m, [{"z"}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = sdy.sharding_constraint %a <@m, [{"x"}, {"x"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = sdy.sharding_constraint %a <@m, [{"x"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = sdy.sharding_constraint %a <@m, [{"y":(1)2}, {"y":(1)4}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = sdy.sharding_constraint %a <@m, [{"y":(3)2}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = sdy.sharding_constraint %a <@m, [{"x"}p0, {"y"}], replicated={"x"}> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = sdy.sharding_constraint %a <@m, [{}p0, {"y"}], replicated={"x"}> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
// expect: sharding
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
// expect: unknown-symbol
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@n, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
// expect: unknown-symbol
func.func @f(%a: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@n, [{"x"}, {}]>}) {
  return %a : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}]>]>} : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: unknown-symbol
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@n, [{"x"},{}]>]>} : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"},{}]>, <@m, [{},{}]>]>} : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
// -----
// expect: sdy.mesh-I2
sdy.mesh @m = <["x"=2, "x"=4]>
// -----
// expect: sdy.mesh-I2
sdy.mesh @m = <["x"=0]>
// -----
// expect: sdy.mesh-I2
sdy.mesh @m = <["x"=-2]>
// -----
// expect: sdy.mesh-I2
sdy.mesh @m = <["x"=2], device_ids=[0, 0]>
// -----
// expect: sdy.mesh-I2
sdy.mesh @m = <["x"=2], device_ids=[1, 2]>
// -----
// expect: sdy.mesh-I2
sdy.mesh @m = <["x"=2], device_ids=[1]>
// -----
// expect: sdy.mesh-I2
sdy.mesh @m = <[], device_ids=[-3]>
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sdy.manual_computation-A3
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<8x8xf32>) {
    sdy.return %b : tensor<8x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sharding
  %0 = sdy.manual_computation(%a) in_shardings=[] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x8xf32>) {
    sdy.return %b : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
// -----
sdy.mesh @m = <["x"=2, "y"=4]>
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expect: sdy.reshard-A1
  %0 = "sdy.reshard"(%a) <{sharding = #sdy.sharding<@m, [{"x"}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return %a : tensor<8x8xf32>
}
