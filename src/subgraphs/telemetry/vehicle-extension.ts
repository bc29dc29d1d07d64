import { Directive, ObjectType } from 'type-graphql'
import { Node } from '../schema/node-interface.ts'

/** Vehicles belong to another subgraph; here they are what has a place. */
@Directive('@key(fields: "id")')
@ObjectType('Vehicle', { implements: Node, simpleResolvers: true })
export class VehicleOfTelemetry extends Node {}
