/** What an administrator sees of the Unleash that a run was at, and what a user who looks there tells of one request. */
export function unleashState({ url, token }) {
  const headers = { authorization: token };
  const get = async (path) => {
    const answer = await fetch(`${url}${path}`, { headers });
    return answer.ok ? answer.json() : undefined;
  };
  const counted = async (flag) => {
    const raw = await get(`/api/admin/client-metrics/features/${flag}/raw`);
    return raw.data.reduce((sum, { yes }) => sum + yes, 0);
  };
  /** What is reported is counted some seconds later. */
  const countedMore = async (flag, before) => {
    for (let tries = 0; tries < 24; tries += 1) {
      const now = await counted(flag);
      if (now > before) return now - before;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    return 0;
  };
  return {
    /** Where it stands before a run. */
    async begin(flag) {
      const { events } = await get('/api/admin/events?limit=1');
      return { last: events[0]?.id ?? 0, flag, used: await counted(flag) };
    },
    /** Everything that was done since, in order, and what is left of it; ids and times aside. */
    async since({ last, flag, used }) {
      const { events } = await get('/api/admin/events?limit=500');
      // That it knows of a program that asked for flags, it notes whenever it has the time.
      const done = events.filter(({ id, type }) => id > last && type !== 'application-created').toReversed();
      const told = done.map(({ type, featureName, environment, data, preData }) =>
        plain({ type, featureName, environment, data, preData }),
      );
      const [features, archived] = await Promise.all(
        ['false', 'true'].map((is) => get(`/api/admin/search/features?project=IS:default&archived=IS:${is}`)),
      );
      const left = { features: features.total, archived: archived.total, used: await countedMore(flag, used) };
      // What may be repeated may have been done twice, and is the same then.
      return [...told.filter((one, at) => one !== told[at - 1]), plain(left)];
    },
    clean: () => fetch(`${url}/api/admin/tag-types/rollout`, { method: 'DELETE', headers }),
    /** The body of what a request made, if the server has it. */
    async look({ method, url: sent, body }, { flag, used }) {
      const { pathname } = new URL(sent);
      if (method === 'PATCH') {
        const strategy = await get(pathname);
        return strategy.parameters.rollout === '100' ? strategy : undefined;
      }
      if (pathname.endsWith('/tag-types')) return (await get(`${pathname}/rollout`))?.tagType;
      if (pathname.endsWith('/tags')) return (await get(pathname)).tags.find(({ value }) => value === 'planned');
      if (pathname.endsWith('/strategies')) return (await get(pathname))[0];
      if (pathname.endsWith('/features')) return get(`${pathname}/${JSON.parse(body.preview).name}`);
      if (pathname.endsWith('/on')) {
        const { environments } = await get(pathname.replace(/\/environments\/.*/u, ''));
        return environments.some(({ enabled }) => enabled) ? null : undefined;
      }
      if (pathname === '/api/client/metrics') return (await countedMore(flag, used)) > 0 ? null : undefined;
      // What is deleted twice is deleted once.
      if (method === 'DELETE') return undefined;
      throw new Error(`nobody has said how to look for ${method} ${pathname}`);
    },
  };
}

/** Without what differs from run to run. */
const plain = (value) =>
  JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/gu, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'time');
