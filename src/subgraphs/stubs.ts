import { Directive, ObjectType } from 'type-graphql'
import { Node } from './node.ts'

/** How a subgraph speaks of an entity that another one owns: by its id alone. */
export interface Mention {
  readonly id: string
}

export const mention = (id: string | null): Mention | null => (id === null ? null : { id })

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Vehicle', { implements: Node, simpleResolvers: true })
export class VehicleMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Driver', { implements: Node, simpleResolvers: true })
export class DriverMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Group', { implements: Node, simpleResolvers: true })
export class GroupMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Device', { implements: Node, simpleResolvers: true })
export class DeviceMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Trip', { implements: Node, simpleResolvers: true })
export class TripMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('SafetyEvent', { implements: Node, simpleResolvers: true })
export class SafetyEventMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Connection', { implements: Node, simpleResolvers: true })
export class ConnectionMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Sync', { implements: Node, simpleResolvers: true })
export class SyncMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Trailer', { implements: Node, simpleResolvers: true })
export class TrailerMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('HosLog', { implements: Node, simpleResolvers: true })
export class HosLogMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('HosDailyLog', { implements: Node, simpleResolvers: true })
export class HosDailyLogMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('J1939FaultCodeEvent', { implements: Node, simpleResolvers: true })
export class J1939FaultCodeEventMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('ObdiiFaultCodeEvent', { implements: Node, simpleResolvers: true })
export class ObdiiFaultCodeEventMention extends Node {}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Issue', { implements: Node, simpleResolvers: true })
export class IssueMention extends Node {}
