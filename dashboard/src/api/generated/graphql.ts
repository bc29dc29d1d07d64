/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The status of a connection. */
export type ConnectionStatus =
  /** It is active, and the provider accepts its credentials. */
  | 'CONNECTED'
  /** The provider no longer accepts its credentials, or a caller disconnected it. The fleet must sign in again, or `reconnectConnection` connects it if the provider still accepts the credentials. */
  | 'DISCONNECTED'
  /** It is archived. No data is synced and no events are delivered. */
  | 'ARCHIVED'
  /** It is marked for deletion, within the grace period. */
  | 'PENDING_DELETION'
  /** Its data is being deleted. */
  | 'DELETING'
  /** Its data is deleted. Only this stub remains. */
  | 'DELETED';

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

/** A vehicle's status in the provider's system. */
export type VehicleStatus =
  /** In service. */
  | 'ACTIVE'
  /** Deactivated by the fleet. */
  | 'INACTIVE';

/** The state of an engine. */
export type EngineState =
  /** The engine runs and the vehicle drives. */
  | 'ON'
  /** The engine does not run. */
  | 'OFF'
  /** The engine runs and the vehicle stands still. */
  | 'IDLE';

export type FleetVehiclesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FleetVehiclesQuery = { vehicles: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, sourceId: string, name: string | null, vin: string | null, make: string | null, model: string | null, year: number | null, status: VehicleStatus, licensePlate: { number: string | null } | null, connection: { id: string } | null, groups: Array<{ id: string }> }> } | null };

export type FleetConnectionsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FleetConnectionsQuery = { connections: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, status: ConnectionStatus, company: { name: string | null }, provider: { name: string } }> } | null };

export type FleetGroupsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FleetGroupsQuery = { groups: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, name: string | null }> } | null };

export type LivePositionsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type LivePositionsSubscription = { vehicleLocations: { heading: number | null, speed: number | null, locatedAt: string, odometer: number | null, engineState: EngineState | null, engineRuntime: number | null, vehicle: { id: string } | null, driver: { id: string, firstName: string | null, lastName: string | null } | null, location: { longitude: number, latitude: number }, address: { formatted: string } | null, fuel: { primaryPercentage: number } | null } };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { kind: ViewerKind, expiresAt: string | null, sessionScopes: Array<SessionScope> | null } | null };


export const FleetVehiclesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FleetVehicles"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicles"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sourceId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"vin"}},{"kind":"Field","name":{"kind":"Name","value":"make"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"year"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"licensePlate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}}]}},{"kind":"Field","name":{"kind":"Name","value":"connection"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}}]} as unknown as DocumentNode<FleetVehiclesQuery, FleetVehiclesQueryVariables>;
export const FleetConnectionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FleetConnections"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connections"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"company"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"provider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<FleetConnectionsQuery, FleetConnectionsQueryVariables>;
export const FleetGroupsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FleetGroups"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<FleetGroupsQuery, FleetGroupsQueryVariables>;
export const LivePositionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"LivePositions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicleLocations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"snapshot"},"value":{"kind":"BooleanValue","value":true}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicle"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"driver"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"latitude"}}]}},{"kind":"Field","name":{"kind":"Name","value":"address"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"formatted"}}]}},{"kind":"Field","name":{"kind":"Name","value":"heading"}},{"kind":"Field","name":{"kind":"Name","value":"speed"}},{"kind":"Field","name":{"kind":"Name","value":"locatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"odometer"}},{"kind":"Field","name":{"kind":"Name","value":"fuel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"primaryPercentage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"engineState"}},{"kind":"Field","name":{"kind":"Name","value":"engineRuntime"}}]}}]}}]} as unknown as DocumentNode<LivePositionsSubscription, LivePositionsSubscriptionVariables>;
export const ViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"sessionScopes"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;