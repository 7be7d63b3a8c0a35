"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1xi4>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1xi4>):
    // expect: broadcast_in_dim-C1
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1, 1, 0>}> : (tensor<2x1xi4>) -> tensor<3x2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2, 3]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
    // expect: broadcast_in_dim-C2
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<1x3xi32>) -> tensor<2x3x4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x?xi8>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x?xi8>):
    // expect: broadcast_in_dim-C3
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 0>}> : (tensor<2x?xi8>) -> tensor<3x3xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2, 3]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
    // expect: broadcast_in_dim-C4
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 2, 2>}> : (tensor<1x3xi32>) -> tensor<2x3x2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1xcomplex<f32>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1xcomplex<f32>>):
    // expect: broadcast_in_dim-C5
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>):
    // expect: broadcast_in_dim-I1
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>) -> tensor<3x2xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x1xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x1xi1>):
    // expect: broadcast_in_dim-I2
    %0 = "stablehlo.broadcast_in_dim"(%arg0) : (tensor<2x1xi1>) -> tensor<1x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @main(%x: tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) {
  // expect: broadcast_in_dim-C6
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {1.0, 2.0}>>
  return
}
