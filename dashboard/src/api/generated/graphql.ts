/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The data that a session may read. */
export type SessionScope =
  /** Connections with their syncs and issues, the providers, and `node`. */
  | 'READ_CONNECTIONS'
  /** Vehicles, drivers, trailers, groups and devices. */
  | 'READ_FLEET'
  /** Trips, hours of service, safety events, fault codes and totals. */
  | 'READ_RECORDS'
  /** Locations and measurements, stored and live. */
  | 'READ_TELEMETRY'
  /** The event log. Its events contain records of all types. */
  | 'READ_EVENTS';

/** The credentials of a request. */
export type ViewerKind =
  /** A secret key. */
  | 'KEY'
  /** A session token. */
  | 'SESSION';

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { kind: ViewerKind, expiresAt: string | null, sessionScopes: Array<SessionScope> | null } | null };


export const ViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"sessionScopes"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;