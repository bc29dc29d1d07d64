import { Directive, ObjectType } from 'type-graphql'
import { Node } from '../schema/node-interface.ts'

/** Extension of a vehicle, which the fleet subgraph owns, with its locations and measurements. */
@Directive('@key(fields: "id")')
@ObjectType('Vehicle', { implements: Node, simpleResolvers: true })
export class TelemetryVehicleExtension extends Node {}
