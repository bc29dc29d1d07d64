/** What is bought at a pump. */
export enum FuelProduct {
  GASOLINE = 'gasoline',
  DIESEL = 'diesel',
  DYED_DIESEL = 'dyed_diesel',
  DEF = 'def',
  PROPANE = 'propane',
  ELECTRICITY = 'electricity',
  OTHER = 'other',
}
