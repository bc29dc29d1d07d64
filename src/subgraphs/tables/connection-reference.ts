/** Columns of a connection by which events of other records refer to it. */
export interface ReferencedConnection {
  readonly id: string
  readonly provider: string
  readonly externalId: string | null
  readonly tags: readonly string[]
}

/** Returns the reference to a connection in events of other records. */
export const toEventReference = (
  { id, provider, externalId, tags }: ReferencedConnection,
  providerName: string,
) => ({
  id,
  provider: { code: provider, name: providerName },
  ...(externalId === null ? {} : { externalId }),
  tags,
})
