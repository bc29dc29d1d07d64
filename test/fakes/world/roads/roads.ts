import { east } from './corridors/east.ts'
import { middle } from './corridors/middle.ts'
import { west } from './corridors/west.ts'
import { Road } from './road.ts'

export const roads: readonly Road[] = [...west, ...middle, ...east].map((corridor) => new Road(corridor))
