/** Where the fuel capacity of a vehicle comes from. */
export enum CapacitySource {
  PROVIDER = 'provider',
  OWN = 'own',
  LEARNT = 'learnt',
}
