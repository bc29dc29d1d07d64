/** Returns the source of `graphql.ts` for a schema. */
export declare function typedDocuments(sdl: string): Promise<string>
