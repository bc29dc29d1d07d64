import { z } from 'zod'
import { enumMember, strictObject } from '../request/body-params.ts'
import { mutationShape, recordShape } from '../response/response-shape.ts'
import { route } from '../route.ts'

const tag = 'Vehicles'

const number = z.number('Give a number.').nullable().optional()

/** The facts of the application with those of the provider. */
const vehicleWithFacts = '{ id fuelType fuelTankCapacity ownFacts { ...VehicleFacts } }'

export const getVehicleFacts = route({
  method: 'GET',
  path: '/vehicles/{id}/facts',
  summary: 'Get your own facts about a vehicle (an extension)',
  tag,
  auth: 'either',
  params: { id: 'vehicle' },
  query: z.object({}),
  operation: `query GetVehicleFacts($id: ID!) { vehicle(id: $id) ${vehicleWithFacts} }`,
  response: recordShape('vehicle'),
})

export const setVehicleFacts = route({
  method: 'PUT',
  path: '/vehicles/{id}/facts',
  summary: 'Replace your own facts about a vehicle (an extension)',
  tag,
  auth: 'either',
  params: { id: 'vehicle' },
  query: z.object({}),
  requestBody: strictObject({
    fuelTankCapacity: number,
    fuelTankCount: number,
    fuelType: enumMember('gasoline', 'diesel', 'propane', 'electric', 'hybrid_gasoline', 'hybrid_diesel')
      .nullable()
      .optional(),
    fuelConsumption: number,
    overrules: z.boolean('Give true or false.').nullable().optional(),
  }),
  fromPath: { vehicleId: 'id' },
  mayFailWith: ['not_found'],
  operation: `
    mutation SetVehicleFacts($input: SetVehicleFactsInput!) {
      setVehicleFacts(input: $input) { vehicle ${vehicleWithFacts} }
    }`,
  response: mutationShape('setVehicleFacts', 'vehicle'),
})
