/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The kind of an issue. */
export type IssueCode =
  /** The account is not permitted to read these data. Extend its permissions at the provider. */
  | 'PERMISSION_MISSING'
  /** The consent lacks a scope. The account must be linked again. */
  | 'OAUTH_SCOPE_MISSING'
  /** The account's plan at the provider does not include these data. */
  | 'SUBSCRIPTION_REQUIRED'
  /** The provider no longer has data this old. */
  | 'RETENTION_WINDOW_EXCEEDED'
  /** The provider does not release the data. */
  | 'PROVIDER_DATA_INACCESSIBLE'
  /** The provider does not recognize one of its own ids. */
  | 'INVALID_SOURCE_IDENTIFIER'
  /** A device has a type that is not supported. */
  | 'UNSUPPORTED_DEVICE_TYPE'
  /** A data stream was disabled. */
  | 'STREAM_DISABLED'
  /** The provider has not set the account up yet. */
  | 'PROVIDER_PROVISIONING_PENDING'
  /** A feature is not enabled at the provider. */
  | 'PROVIDER_FEATURE_NOT_ENABLED'
  /** A vehicle has no identifier. */
  | 'MISSING_VEHICLE_IDENTIFIER'
  /** A device is not assigned to a vehicle. */
  | 'MISSING_VEHICLE_ASSIGNMENT'
  /** The provider does not support this. */
  | 'PROVIDER_CAPABILITY_NOT_SUPPORTED'
  /** The provider sent records in an invalid format. */
  | 'PROVIDER_SOURCE_DATA_INVALID'
  /** The account is only partially configured. */
  | 'PROVIDER_PARTIALLY_CONFIGURED'
  /** Managed polling returns no data. */
  | 'MANAGED_POLL_RETURNED_NO_DATA'
  /** Managed polling fails. */
  | 'MANAGED_POLL_FAILED'
  /** The provider delivers its data late. */
  | 'DATA_DELAYED'
  /** A deprecated synonym of PERMISSION_MISSING. Only filters accept it. */
  | 'MISSING_PERMISSIONS'
  /** A deprecated synonym of RETENTION_WINDOW_EXCEEDED. Only filters accept it. */
  | 'EXCEEDED_RETENTION_WINDOW'
  /** A deprecated synonym of INVALID_SOURCE_IDENTIFIER. Only filters accept it. */
  | 'INVALID_SOURCE_ID'
  /** A deprecated synonym of UNSUPPORTED_DEVICE_TYPE. Only filters accept it. */
  | 'UNKNOWN_DEVICE_TYPE'
  /** A deprecated synonym of PROVIDER_FEATURE_NOT_ENABLED. Only filters accept it. */
  | 'MISSING_SAFETY_CONFIGURATION'
  /** A deprecated synonym of PROVIDER_DATA_INACCESSIBLE. Only filters accept it. */
  | 'INACCESSIBLE_DATA'
  /** A deprecated synonym of STREAM_DISABLED. Only filters accept it. */
  | 'MANUALLY_DISABLED';

/** The status of a sync. */
export type SyncStatus =
  /** It waits for a worker. */
  | 'REQUESTED'
  /** It reads from the provider. */
  | 'IN_PROGRESS'
  /** It has read all data that the account permits. `issues` name the rest. */
  | 'COMPLETED'
  /** It failed or was cancelled. `failureReason` contains the reason. */
  | 'FAILED';

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

/** When a connection's data is read from its provider. */
export type SyncMode =
  /** In the background. */
  | 'AUTOMATIC'
  /** On request only. */
  | 'MANUAL';

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

/** The type of a safety event, as the provider classified it. */
export type SafetyEventType =
  /** The driver braked harder than the provider's threshold. */
  | 'HARSH_BRAKE'
  /** The vehicle accelerated harder than the provider's threshold. */
  | 'HARSH_ACCELERATION'
  /** The vehicle turned harder than the provider's threshold. */
  | 'HARSH_TURN'
  /** The vehicle drove faster than the limit of the road or of the fleet. */
  | 'SPEEDING'
  /** The device measured an impact like that of a crash. */
  | 'CRASH'
  /** The driver avoided a crash by braking or swerving hard. */
  | 'NEAR_CRASH'
  /** The vehicle followed another one too closely. */
  | 'TAILGATING'
  /** The driver used a phone. */
  | 'CELL_PHONE'
  /** The driver looked away from the road. */
  | 'DISTRACTED'
  /** The driver showed signs of sleepiness. */
  | 'DROWSINESS'
  /** The driver smoked. */
  | 'SMOKING'
  /** The driver did not wear the seat belt. */
  | 'SEAT_BELT_VIOLATION'
  /** The vehicle passed a stop sign without a stop. */
  | 'STOP_SIGN_VIOLATION'
  /** The vehicle passed a red traffic light. */
  | 'RED_LIGHT_VIOLATION'
  /** The vehicle changed lanes in a dangerous way. */
  | 'UNSAFE_LANE_CHANGE'
  /** The view of the camera was blocked. */
  | 'CAMERA_OBSTRUCTION'
  /** The driver ate or drank. */
  | 'EATING_AND_DRINKING'
  /** The vehicle slowed down where it had to stop, but did not stop. */
  | 'ROLLING_STOP'
  /** The vehicle was parked in a dangerous place. */
  | 'UNSAFE_PARKING';

/** What shows that a vehicle was near a place. */
export type PresenceEvidence =
  /** The vehicle reported a position within the radius. */
  | 'REPORTED'
  /** The straight line between two positions, at most 90 seconds apart, comes within the radius. */
  | 'PASSED'
  /** Two positions within the radius, at most 3 days before and after the period, have none in between; or none follows within 3 days. */
  | 'STAYED';

/** A position on the earth. */
export type GeoPointInput = {
  /** Longitude in degrees, east positive. */
  longitude: number;
  /** Latitude in degrees, north positive. */
  latitude: number;
};

export type ConnectionHealthQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ConnectionHealthQuery = { connections: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, status: ConnectionStatus, syncMode: SyncMode, externalId: string | null, tags: Array<string>, createdAt: string, disconnectedAt: string | null, deletionScheduledAt: string | null, lastSuccessfulSyncAt: string | null, linkUrl: string | null, company: { name: string | null }, provider: { code: string, name: string }, lastSync: { id: string, status: SyncStatus, requestedAt: string, completedAt: string | null, progress: number, failureReason: string | null } | null, issues: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ id: string, lastReportedAt: string, documentationUrl: string | null, error: { code: IssueCode, message: string } }> } | null }> } | null };

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

export type VehicleHeaderQueryVariables = Exact<{
  id: string | number;
}>;


export type VehicleHeaderQuery = { vehicle: { id: string, sourceId: string, name: string | null, vin: string | null, make: string | null, model: string | null, year: number | null, licensePlate: { number: string | null } | null } | null };

export type DayTripsQueryVariables = Exact<{
  id: string | number;
  startAt: string;
  endAt: string;
  after?: string | null | undefined;
}>;


export type DayTripsQuery = { vehicle: { trips: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, startedAt: string, endedAt: string, distance: number | null, duration: number, driver: { id: string, firstName: string | null, lastName: string | null } | null, startLocation: { longitude: number, latitude: number } | null, endLocation: { longitude: number, latitude: number } | null }> } | null } | null };

export type DaySafetyEventsQueryVariables = Exact<{
  id: string | number;
  startAt: string;
  endAt: string;
  after?: string | null | undefined;
}>;


export type DaySafetyEventsQuery = { vehicle: { safetyEvents: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, type: SafetyEventType, startedAt: string, startLocation: { longitude: number, latitude: number } | null }> } | null } | null };

export type DayTrackQueryVariables = Exact<{
  id: string | number;
  startAt: string;
  endAt: string;
  after?: string | null | undefined;
}>;


export type DayTrackQuery = { vehicle: { locations: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ locatedAt: string, speed: number | null, heading: number | null, location: { longitude: number, latitude: number } }> } | null } | null };

export type DayFuelQueryVariables = Exact<{
  id: string | number;
  startAt: string;
  endAt: string;
  after?: string | null | undefined;
}>;


export type DayFuelQuery = { vehicle: { stats: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<
        | { timestamp: string }
        | { timestamp: string }
        | { timestamp: string }
        | { fuelPercentage: number, timestamp: string }
        | { timestamp: string }
        | { timestamp: string }
        | { timestamp: string }
        | { timestamp: string }
        | { timestamp: string }
        | { timestamp: string }
        | { timestamp: string }
        | { timestamp: string }
      > } | null } | null };

export type VehiclesNearQueryVariables = Exact<{
  location: GeoPointInput;
  radius: number;
  startAt: string;
  endAt: string;
}>;


export type VehiclesNearQuery = { vehiclesNear: { vehicleCount: number, nodes: Array<{ evidence: PresenceEvidence, distance: number, nearestAt: string, firstAt: string, lastAt: string, nearestLocation: { longitude: number, latitude: number }, vehicle: { id: string, sourceId: string, name: string | null, vin: string | null } }> } | null };


export const ConnectionHealthDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConnectionHealth"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connections"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}},{"kind":"Field","name":{"kind":"Name","value":"externalId"}},{"kind":"Field","name":{"kind":"Name","value":"tags"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"disconnectedAt"}},{"kind":"Field","name":{"kind":"Name","value":"deletionScheduledAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastSuccessfulSyncAt"}},{"kind":"Field","name":{"kind":"Name","value":"linkUrl"}},{"kind":"Field","name":{"kind":"Name","value":"company"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"provider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lastSync"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"progress"}},{"kind":"Field","name":{"kind":"Name","value":"failureReason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"issues"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"EnumValue","value":"ONGOING"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"lastReportedAt"}},{"kind":"Field","name":{"kind":"Name","value":"documentationUrl"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ConnectionHealthQuery, ConnectionHealthQueryVariables>;
export const FleetVehiclesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FleetVehicles"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicles"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sourceId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"vin"}},{"kind":"Field","name":{"kind":"Name","value":"make"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"year"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"licensePlate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}}]}},{"kind":"Field","name":{"kind":"Name","value":"connection"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}}]} as unknown as DocumentNode<FleetVehiclesQuery, FleetVehiclesQueryVariables>;
export const FleetConnectionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FleetConnections"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"connections"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"company"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"provider"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<FleetConnectionsQuery, FleetConnectionsQueryVariables>;
export const FleetGroupsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FleetGroups"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<FleetGroupsQuery, FleetGroupsQueryVariables>;
export const LivePositionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"LivePositions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicleLocations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"snapshot"},"value":{"kind":"BooleanValue","value":true}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicle"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"driver"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"latitude"}}]}},{"kind":"Field","name":{"kind":"Name","value":"address"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"formatted"}}]}},{"kind":"Field","name":{"kind":"Name","value":"heading"}},{"kind":"Field","name":{"kind":"Name","value":"speed"}},{"kind":"Field","name":{"kind":"Name","value":"locatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"odometer"}},{"kind":"Field","name":{"kind":"Name","value":"fuel"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"primaryPercentage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"engineState"}},{"kind":"Field","name":{"kind":"Name","value":"engineRuntime"}}]}}]}}]} as unknown as DocumentNode<LivePositionsSubscription, LivePositionsSubscriptionVariables>;
export const VehicleHeaderDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"VehicleHeader"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicle"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sourceId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"vin"}},{"kind":"Field","name":{"kind":"Name","value":"make"}},{"kind":"Field","name":{"kind":"Name","value":"model"}},{"kind":"Field","name":{"kind":"Name","value":"year"}},{"kind":"Field","name":{"kind":"Name","value":"licensePlate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"number"}}]}}]}}]}}]} as unknown as DocumentNode<VehicleHeaderQuery, VehicleHeaderQueryVariables>;
export const DayTripsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DayTrips"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicle"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"trips"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"endedAfter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"startedBefore"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}},{"kind":"Field","name":{"kind":"Name","value":"distance"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"driver"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"startLocation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"latitude"}}]}},{"kind":"Field","name":{"kind":"Name","value":"endLocation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"latitude"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<DayTripsQuery, DayTripsQueryVariables>;
export const DaySafetyEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DaySafetyEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicle"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"safetyEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"startedAfter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"startedBefore"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"startLocation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"latitude"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<DaySafetyEventsQuery, DaySafetyEventsQueryVariables>;
export const DayTrackDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DayTrack"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicle"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"locations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"2000"}},{"kind":"Argument","name":{"kind":"Name","value":"startAt"},"value":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"endAt"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"locatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"speed"}},{"kind":"Field","name":{"kind":"Name","value":"heading"}},{"kind":"Field","name":{"kind":"Name","value":"location"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"latitude"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<DayTrackQuery, DayTrackQueryVariables>;
export const DayFuelDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DayFuel"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicle"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stats"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"2000"}},{"kind":"Argument","name":{"kind":"Name","value":"startAt"},"value":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"endAt"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"types"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"FUEL_LEVEL"}]}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FuelLevelStatLog"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fuelPercentage"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<DayFuelQuery, DayFuelQueryVariables>;
export const VehiclesNearDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"VehiclesNear"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"location"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GeoPointInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"radius"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Float"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehiclesNear"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"location"},"value":{"kind":"Variable","name":{"kind":"Name","value":"location"}}},{"kind":"Argument","name":{"kind":"Name","value":"radius"},"value":{"kind":"Variable","name":{"kind":"Name","value":"radius"}}},{"kind":"Argument","name":{"kind":"Name","value":"startAt"},"value":{"kind":"Variable","name":{"kind":"Name","value":"startAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"endAt"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endAt"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"vehicleCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"evidence"}},{"kind":"Field","name":{"kind":"Name","value":"distance"}},{"kind":"Field","name":{"kind":"Name","value":"nearestAt"}},{"kind":"Field","name":{"kind":"Name","value":"firstAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastAt"}},{"kind":"Field","name":{"kind":"Name","value":"nearestLocation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"longitude"}},{"kind":"Field","name":{"kind":"Name","value":"latitude"}}]}},{"kind":"Field","name":{"kind":"Name","value":"vehicle"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sourceId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"vin"}}]}}]}}]}}]}}]} as unknown as DocumentNode<VehiclesNearQuery, VehiclesNearQueryVariables>;