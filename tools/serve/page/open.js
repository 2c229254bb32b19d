/*
 * Logs in with what is behind "#", which is not sent to any server. A browser
 * that comes from a file sends no cookie along; from this page it does.
 */
const query = location.hash.slice(1);

if (query.startsWith("?token="))
    location.replace("/" + query);
