"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi8>):
    // expect: rng_bit_generator-C1
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xi8>) -> (tensor<2xui64>, tensor<2x2xui64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f32>):
    // expect: rng_bit_generator-C2
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<f32>) -> (tensor<f32>, tensor<2x2xui64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi4>):
    // expect: rng_bit_generator-I1
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) : (tensor<3xi4>) -> (tensor<3xi4>, tensor<2x2xui64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0xi1>):
    // expect: rng_bit_generator-I2
    %0:2 = "stablehlo.rng_bit_generator"(%arg0) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<0xi1>) -> (tensor<i1>, tensor<2x2xui64>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @state(%x: tensor<2xi64>) {
  // expect: rng_bit_generator-I2
  %0, %1 = stablehlo.rng_bit_generator %x, algorithm = DEFAULT : (tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)
  return
}
// -----
func.func @state(%x: tensor<2x1xui64>) {
  // expect: rng_bit_generator-I2
  %0, %1 = stablehlo.rng_bit_generator %x, algorithm = DEFAULT : (tensor<2x1xui64>) -> (tensor<2x1xui64>, tensor<4xui32>)
  return
}
