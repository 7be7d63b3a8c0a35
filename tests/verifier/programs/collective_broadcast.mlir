"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?x2xi64>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<?x2xi64>):
    // expect: collective_broadcast-C1
    %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<2> : tensor<1x2xi64>}> : (tensor<?x2xi64>) -> tensor<1x2xi64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xui32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xui32>):
    // expect: collective_broadcast-C2
    %0 = "stablehlo.collective_broadcast"() <{replica_groups = dense<-1> : tensor<1x1xi64>}> : () -> tensor<2xui32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf32>):
    // expect: collective_broadcast-C3
    %0 = "stablehlo.collective_broadcast"() <{replica_groups = dense<0> : tensor<1x1xi64>}> : () -> tensor<3xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>):
    // expect: collective_broadcast-I1
    %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<1> : tensor<1x1xi64>}> : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-3>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xi1>):
    // expect: collective_broadcast-I2
    %0 = "stablehlo.collective_broadcast"(%arg0) : (tensor<2xi1>) -> tensor<2xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1xf32>):
    // expect: collective_broadcast-I3
    %0 = "stablehlo.collective_broadcast"(%arg0) <{channel_handle = "x", replica_groups = f32}> : (tensor<1xf32>) -> tensor<1xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
