/** Returns the source of `src/generated.ts` for an OpenAPI document. */
export function sourceOf(document: object): Promise<string>
