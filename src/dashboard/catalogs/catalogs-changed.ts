import type { QueryClient } from '@tanstack/react-query';

/** Another catalog, or none: what workflows may run is asked again as well. */
export async function catalogsChanged(client: QueryClient): Promise<void> {
  await Promise.all(['catalogs', 'workflows', 'workflow'].map((key) => client.invalidateQueries({ queryKey: [key] })));
}
