//! Error bodies; the number in a name is the status.

use netmgr_types::wire::ApiError;

use crate::{Case, one};

#[rustfmt::skip]
pub(crate) const CASES: &[Case] = &[
    ("400-related-errors", one::<ApiError>, &[
        "BAD_REQUEST | 220417 | policy | Request for /infra/dhcp-server-configs/lab-7 was refused with 2 problems | See related_errors for each problem | related 220418 policy Attribute lease_time is below its minimum of 60 - | related 600 common-services No object has the identifier /infra/sites/default/enforcement-points/default/edge-clusters/ec-42 Identifiers are matched case-sensitively",
    ]),
    ("401-token-rejected", one::<ApiError>, &[
        "UNAUTHORIZED | 401001 | common-services | Bearer token lifetime is over | -",
    ]),
    ("403-bad-credentials", one::<ApiError>, &[
        "- | 403 | common-services | Login refused for client svc-lookup: wrong secret or locked account | -",
    ]),
    ("403-bad-xsrf", one::<ApiError>, &[
        "FORBIDDEN | 98 | common-services | Request token does not belong to a live session | -",
    ]),
    ("403-role-denied", one::<ApiError>, &[
        "FORBIDDEN | 401 | policy | Account svc-lookup lacks read on feature policy_dhcp_server | -",
    ]),
    ("404-object-missing", one::<ApiError>, &[
        "NOT_FOUND | 600 | common-services | No object has the identifier /infra/bfd-profiles/fast-300ms | -",
    ]),
    ("412-stale-revision", one::<ApiError>, &[
        "PRECONDITION_FAILED | 206 | common-services | Object LogicalPort/5f0c7e is at revision 9, request carried revision 7 | -",
    ]),
    ("429-rate-limit-string-code", one::<ApiError>, &[
        "- | 102 | common-services | Client 'svc-lookup' went over 100 requests in one second | -",
    ]),
    ("500-cluster-reconfiguring", one::<ApiError>, &[
        "INTERNAL_SERVER_ERROR | 607 | common-services | Transaction 81be aborted while the datastore group changes membership | - | related 610 common-services Datastore leader moved from node-a to node-b -",
    ]),
    ("503-overloaded", one::<ApiError>, &[
        "- | 901 | common-services | Node holds 199 requests already and takes no more | -",
    ]),
];
