"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    // expect: iota-C1
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<i4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "main"}> ({
    // expect: iota-I1
    %0 = "stablehlo.iota"() : () -> tensor<8xi4>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
