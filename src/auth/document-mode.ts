/**
 * Which GraphQL documents a caller may run. `allow`: any document; those that its application has published also by
 * their ids. `only`: the published ones alone, by id or text. `off`: any document, none by its id.
 */
export const documentModes = ['off', 'allow', 'only'] as const

export type DocumentMode = (typeof documentModes)[number]

export const DEFAULT_DOCUMENT_MODE: DocumentMode = 'allow'
