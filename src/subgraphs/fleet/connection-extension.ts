import { Directive, ObjectType } from 'type-graphql'
import { Node } from '../schema/node-interface.ts'

/** Extension of a connection, which the connections subgraph owns, with the lists of its fleet. */
@Directive('@key(fields: "id")')
@ObjectType('Connection', { implements: Node, simpleResolvers: true })
export class FleetConnectionExtension extends Node {}
