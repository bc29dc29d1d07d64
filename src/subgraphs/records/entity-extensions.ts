import { Directive, ObjectType } from 'type-graphql'
import { Node } from '../schema/node-interface.ts'

/** Vehicles and drivers belong to another subgraph; here they are what records are of. */

@Directive('@key(fields: "id")')
@ObjectType('Vehicle', { implements: Node, simpleResolvers: true })
export class VehicleOfRecords extends Node {}

@Directive('@key(fields: "id")')
@ObjectType('Driver', { implements: Node, simpleResolvers: true })
export class DriverOfRecords extends Node {}
