/** The tag that relay-compiler looks for; an app imports it from relay-runtime. */
declare function graphql(text: TemplateStringsArray): unknown
