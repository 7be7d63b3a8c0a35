"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i4>, tensor<i4>, tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i4>, %arg1: tensor<i4>, %arg2: tensor<2xi64>):
    // expect: rng-C1
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<i4>, tensor<i4>, tensor<2xi64>) -> tensor<2x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i32>, tensor<i32>, tensor<2xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<2xi4>):
    // expect: rng-C2
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<i32>, tensor<i32>, tensor<2xi4>) -> tensor<3x50xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>, tensor<f64>, tensor<1xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<f64>, %arg2: tensor<1xi64>):
    // expect: rng-C3
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<f64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i4>, tensor<i4>, tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i4>, %arg1: tensor<i4>, %arg2: tensor<2xi64>):
    // expect: rng-I1
    %0 = "stablehlo.rng"(%arg2, %arg1, %arg0) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<2xi64>, tensor<i4>, tensor<i4>) -> tensor<2x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>, tensor<f64>, tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<f64>, %arg2: tensor<2xi64>):
    // expect: rng-I2
    %0 = "stablehlo.rng"(%arg0, %arg2, %arg1) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f64>, tensor<2xi64>, tensor<f64>) -> tensor<2x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f64>, tensor<f64>, tensor<i64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<f64>, %arg1: tensor<f64>, %arg2: tensor<i64>):
    // expect: rng-I3
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f64>, tensor<f64>, tensor<i64>) -> tensor<0xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i4>, tensor<i4>, tensor<2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i4>, %arg1: tensor<i4>, %arg2: tensor<2xi64>):
    // expect: rng-I4
    %0 = "stablehlo.rng"(%arg0, %arg1, %arg2) : (tensor<i4>, tensor<i4>, tensor<2xi64>) -> tensor<2x2xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @narrow_shape(%a: tensor<f32>, %n: tensor<1xi32>) {
  // expect: rng-I3
  %0 = stablehlo.rng %a, %a, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return
}
