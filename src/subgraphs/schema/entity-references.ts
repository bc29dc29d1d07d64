import { Directive, ObjectType } from 'type-graphql'
import { Node } from './node-interface.ts'

/** Reference to an entity that another subgraph owns. */
export interface EntityRef {
  readonly id: string
}

export const entityRef = (id: string | null): EntityRef | null => (id === null ? null : { id })

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Vehicle', { implements: Node, simpleResolvers: true })
export class VehicleRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Driver', { implements: Node, simpleResolvers: true })
export class DriverRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Group', { implements: Node, simpleResolvers: true })
export class GroupRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Device', { implements: Node, simpleResolvers: true })
export class DeviceRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Trip', { implements: Node, simpleResolvers: true })
export class TripRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('SafetyEvent', { implements: Node, simpleResolvers: true })
export class SafetyEventRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Connection', { implements: Node, simpleResolvers: true })
export class ConnectionRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Sync', { implements: Node, simpleResolvers: true })
export class SyncRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Trailer', { implements: Node, simpleResolvers: true })
export class TrailerRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('HosLog', { implements: Node, simpleResolvers: true })
export class HosLogRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('HosDailyLog', { implements: Node, simpleResolvers: true })
export class HosDailyLogRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('J1939FaultCodeEvent', { implements: Node, simpleResolvers: true })
export class J1939FaultCodeEventRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('ObdiiFaultCodeEvent', { implements: Node, simpleResolvers: true })
export class ObdiiFaultCodeEventRef extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Issue', { implements: Node, simpleResolvers: true })
export class IssueRef extends Node {}
