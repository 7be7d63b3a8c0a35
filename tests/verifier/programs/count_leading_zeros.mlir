"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[0, 1, 7, -8]> : tensor<4xi4>}> : () -> tensor<4xi4>
    // expect: count_leading_zeros-C1
    %1 = "stablehlo.count_leading_zeros"(%0) : (tensor<4xi4>) -> tensor<i4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<0xi1>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<0xi1>):
    // expect: count_leading_zeros-I1
    %0 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<0xi1>) -> tensor<0xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
