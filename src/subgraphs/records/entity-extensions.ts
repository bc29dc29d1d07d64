import { Directive, ObjectType } from 'type-graphql'
import { Node } from '../schema/node-interface.ts'

// Extensions of vehicles and drivers, which the fleet subgraph owns, with fields for their records.

@Directive('@key(fields: "id")')
@ObjectType('Vehicle', { implements: Node, simpleResolvers: true })
export class RecordsVehicleExtension extends Node {}

@Directive('@key(fields: "id")')
@ObjectType('Driver', { implements: Node, simpleResolvers: true })
export class RecordsDriverExtension extends Node {}
