/** What a session may read: a scope for each subgraph. The words are those of the API. */
export enum SessionScope {
  READ_CONNECTIONS = 'READ_CONNECTIONS',
  READ_FLEET = 'READ_FLEET',
  READ_RECORDS = 'READ_RECORDS',
  READ_TELEMETRY = 'READ_TELEMETRY',
  READ_EVENTS = 'READ_EVENTS',
}

export const sessionScopes: readonly SessionScope[] = Object.values(SessionScope)
