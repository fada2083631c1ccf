//! Bodies recorded from real managers and published.

use netmgr_types::wire::{ApiError, NodeVersion};

use crate::line::{ComputeManager, EdgeCluster, ManagerObject, PolicyObject};

use crate::{Case, api_endpoints, list, one, session_headers};

#[rustfmt::skip]
pub(crate) const CASES: &[Case] = &[
    ("alarms-netways_1", list::<ManagerObject>, &[
        "count 1 cursor -",
        "Alarm | UUID | UUID | The storage latency of disk partition /var/log on Intelligence node UUID is above the high threshold value of 50 milliseconds.",
    ]),
    ("compute-managers-list-saltstack_1", list::<ComputeManager>, &[
        "count 1 cursor -",
        "ComputeManager | d894632f-f366-4b90-b5d9-2eaaa0c4ff8a | d894632f-f366-4b90-b5d9-2eaaa0c4ff8a |  | 10.206.243.180",
    ]),
    ("edge-clusters-get-apnex_1", one::<EdgeCluster>, &[
        "EdgeCluster | 55f779f2-315c-4137-938a-d0ad116cb7eb | edge-cluster | - | VIRTUAL_MACHINE | EDGE_NODE | 0=3a90968e-dc32-48dd-ba6d-7ffc8850e491 | -=4de31359-6846-4e3f-b3b7-83fa2bf6a308",
    ]),
    ("error-400-zhengxiexie_1", one::<ApiError>, &[
        "BAD_REQUEST | 500012 | Policy | The path=[/infra/tier-0s/None] is invalid | -",
    ]),
    ("error-404-zhengxiexie_1", one::<ApiError>, &[
        "NOT_FOUND | 600 | common-services | The requested object : /infra/sites/default/enforcement-points/alb-endpoint could not be found. Object identifiers are case sensitive. | -",
    ]),
    ("error-500-tf-issue-790_1", one::<ApiError>, &[
        "- | 100 | common-services | General error has occurred. | java.lang.NullPointerException",
    ]),
    ("ip-pools-get-saltstack_1", one::<ManagerObject>, &[
        "IpPool | 9b636d18-49a2-4e63-a1ec-10c0e50d554d | Create-from_salt | Check",
    ]),
    ("node-get-pandom_1", one::<NodeVersion>, &[
        "- | 2.2.0.0.0.8680778 | version 2.2.0.0.0.8680778",
    ]),
    ("node-version-tf-issue-1159_1", one::<NodeVersion>, &[
        "3.1.3.7.0.19380457 | 3.1.3.7.0.19380482 | version 3.1.3.7.0.19380457",
    ]),
    ("policy-bfd-profiles-get-saltstack_1", one::<PolicyObject>, &[
        "BfdProfile | default | default | - | /infra/bfd-profiles/default | /infra | a24e173c-978b-4adc-936a-a32eb6d601b9",
    ]),
    ("policy-dhcp-server-configs-list-saltstack_1", list::<PolicyObject>, &[
        "count 1 cursor -",
        "DhcpServerConfig | default | default | - | /infra/dhcp-server-configs/default | /infra | 21f54bcb-ab20-4a39-9a20-a9098eb7500a",
    ]),
    ("policy-segments-list-manageiq_1", list::<PolicyObject>, &[
        "count 39 cursor -",
        "Segment | d5204c40-6a90-11ea-a5b5-f9815823238c | 192.168.12.0 | - | /infra/segments/d5204c40-6a90-11ea-a5b5-f9815823238c | /infra/segments/d5204c40-6a90-11ea-a5b5-f9815823238c | -",
        "Segment | F84E4BB7-6A7A-560D-9DD2-42A3243FF56A | CloudNetwork-001 | 001 | /infra/segments/F84E4BB7-6A7A-560D-9DD2-42A3243FF56A | /infra/segments/F84E4BB7-6A7A-560D-9DD2-42A3243FF56A | -",
        "Segment | B3C8D7E3-1750-5E96-89B4-638DA63A361F | CloudNetwork-002 | 002 | /infra/segments/B3C8D7E3-1750-5E96-89B4-638DA63A361F | /infra/segments/B3C8D7E3-1750-5E96-89B4-638DA63A361F | -",
        "Segment | DHCPlan-imro | DHCPlan-imro | - | /infra/segments/DHCPlan-imro | /infra/segments/DHCPlan-imro | -",
        "Segment | 7D5C1791-AAA1-5743-80B1-B2999F0F84BD | EmailTest |  | /infra/segments/7D5C1791-AAA1-5743-80B1-B2999F0F84BD | /infra/segments/7D5C1791-AAA1-5743-80B1-B2999F0F84BD | -",
        "Segment | LS_APP | LS_APP | - | /infra/segments/LS_APP | /infra/segments/LS_APP | -",
        "Segment | LS_BLUE | LS_BLUE | - | /infra/segments/LS_BLUE | /infra/segments/LS_BLUE | -",
        "Segment | LS_Edges_TEP_VXX | LS_Edges_TEP_V34 | - | /infra/segments/LS_Edges_TEP_VXX | /infra/segments/LS_Edges_TEP_VXX | -",
        "Segment | LS_Edges_Uplink_VXX | LS_Edges_Uplink_VXX | - | /infra/segments/LS_Edges_Uplink_VXX | /infra/segments/LS_Edges_Uplink_VXX | -",
        "Segment | LS_Edges_Uplink_VYY | LS_Edges_Uplink_VYY | - | /infra/segments/LS_Edges_Uplink_VYY | /infra/segments/LS_Edges_Uplink_VYY | -",
        "Segment | LS_GREEN | LS_GREEN | - | /infra/segments/LS_GREEN | /infra/segments/LS_GREEN | -",
        "Segment | LS_LOWER_RED | LS_LOWER_RED | - | /infra/segments/LS_LOWER_RED | /infra/segments/LS_LOWER_RED | -",
        "Segment | LS_MNGT_V | LS_MNGT_V51 | - | /infra/segments/LS_MNGT_V | /infra/segments/LS_MNGT_V | -",
        "Segment | LS_MNGT_VMOTION_V52 | LS_MNGT_VMOTION_V52 | - | /infra/segments/LS_MNGT_VMOTION_V52 | /infra/segments/LS_MNGT_VMOTION_V52 | -",
        "Segment | LS_ORANGE | LS_ORANGE | - | /infra/segments/LS_ORANGE | /infra/segments/LS_ORANGE | -",
        "Segment | LS_T0_UplinkA | LS_T0_UplinkA | - | /infra/segments/LS_T0_UplinkA | /infra/segments/LS_T0_UplinkA | -",
        "Segment | LS_T0_UplinkB | LS_T0_UplinkB | - | /infra/segments/LS_T0_UplinkB | /infra/segments/LS_T0_UplinkB | -",
        "Segment | LS_UPPER_RED | LS_UPPER_RED | - | /infra/segments/LS_UPPER_RED | /infra/segments/LS_UPPER_RED | -",
        "Segment | LS_WEB | LS_WEB | - | /infra/segments/LS_WEB | /infra/segments/LS_WEB | -",
        "Segment | AD2D3C7C-8262-52FE-B826-F6CB363B4A5F | MAR | MAR's test network | /infra/segments/AD2D3C7C-8262-52FE-B826-F6CB363B4A5F | /infra/segments/AD2D3C7C-8262-52FE-B826-F6CB363B4A5F | -",
        "Segment | 64C49C8C-8E91-5859-A9EE-C878C1B32D1C | Marcel | Test netwerk met meerdere subnets. | /infra/segments/64C49C8C-8E91-5859-A9EE-C878C1B32D1C | /infra/segments/64C49C8C-8E91-5859-A9EE-C878C1B32D1C | -",
        "Segment | B45AF2D4-27C2-5D1B-AF3A-98F4881C19BF | MarcelTest-20200406-0913 |  | /infra/segments/B45AF2D4-27C2-5D1B-AF3A-98F4881C19BF | /infra/segments/B45AF2D4-27C2-5D1B-AF3A-98F4881C19BF | -",
        "Segment | 77BA6CED-16DC-50CF-B046-05E605301161 | NewVMTestOrange | Test newwork | /infra/segments/77BA6CED-16DC-50CF-B046-05E605301161 | /infra/segments/77BA6CED-16DC-50CF-B046-05E605301161 | -",
        "Segment | 53DAC276-54ED-560F-84DB-724061E89D7C | PRGTST-202020 | Tijdelijk netwerk | /infra/segments/53DAC276-54ED-560F-84DB-724061E89D7C | /infra/segments/53DAC276-54ED-560F-84DB-724061E89D7C | -",
        "Segment | 031407C1-20DC-5F6F-A58A-8563F53AC969 | RGU-TEST | RGU-TEST | /infra/segments/031407C1-20DC-5F6F-A58A-8563F53AC969 | /infra/segments/031407C1-20DC-5F6F-A58A-8563F53AC969 | -",
        "Segment | Segment-MDR-2 | Segment-MDR-2 | - | /infra/segments/Segment-MDR-2 | /infra/segments/Segment-MDR-2 | -",
        "Segment | 32EEDED7-1F62-5779-A324-B2245FC3E575 | Sprint-Review-Netwerk |  | /infra/segments/32EEDED7-1F62-5779-A324-B2245FC3E575 | /infra/segments/32EEDED7-1F62-5779-A324-B2245FC3E575 | -",
        "Segment | E7B7C542-900E-53D8-A468-7A2759BD7455 | TEST42 |  | /infra/segments/E7B7C542-900E-53D8-A468-7A2759BD7455 | /infra/segments/E7B7C542-900E-53D8-A468-7A2759BD7455 | -",
        "Segment | 75DBDCAD-E226-5C63-94FD-1BC1A881EBB6 | TUXes | Linux VM test | /infra/segments/75DBDCAD-E226-5C63-94FD-1BC1A881EBB6 | /infra/segments/75DBDCAD-E226-5C63-94FD-1BC1A881EBB6 | -",
        "Segment | 8E282981-AF2A-5356-9419-463B5ABAE6A3 | VNX-FE3-NETWORK-01 |  | /infra/segments/8E282981-AF2A-5356-9419-463B5ABAE6A3 | /infra/segments/8E282981-AF2A-5356-9419-463B5ABAE6A3 | -",
        "Segment | 5A3AACBB-511E-5237-8769-51B1D346B24F | VNX-FE3-NETWORK-02 | Testing VN-3387 | /infra/segments/5A3AACBB-511E-5237-8769-51B1D346B24F | /infra/segments/5A3AACBB-511E-5237-8769-51B1D346B24F | -",
        "Segment | 0A120408-2F56-5E9E-91AB-5374EA30DEEA | VNX-FE3-NETWORK-03 | Testing VN-3387 | /infra/segments/0A120408-2F56-5E9E-91AB-5374EA30DEEA | /infra/segments/0A120408-2F56-5E9E-91AB-5374EA30DEEA | -",
        "Segment | 557F45E6-E3BC-5005-AE24-77183EF4D14E | VNXT-20200414060724 | DI9's test network VNXT-20200414060724 ready for use | /infra/segments/557F45E6-E3BC-5005-AE24-77183EF4D14E | /infra/segments/557F45E6-E3BC-5005-AE24-77183EF4D14E | -",
        "Segment | 2135F32C-AD3C-56CE-BCB0-E0F27D7E30CC | VNXT-20200414062107 | DI9's test network VNXT-20200414062107 ready for use | /infra/segments/2135F32C-AD3C-56CE-BCB0-E0F27D7E30CC | /infra/segments/2135F32C-AD3C-56CE-BCB0-E0F27D7E30CC | -",
        "Segment | E6BBBB20-E571-5498-9E82-380C36F9788E | VNXT-20200422135534 | DI9's test network VNXT-20200422135534 ready for use | /infra/segments/E6BBBB20-E571-5498-9E82-380C36F9788E | /infra/segments/E6BBBB20-E571-5498-9E82-380C36F9788E | -",
        "Segment | BFD81823-EAC8-5C47-A5DE-E41A72254567 | VNXT-20200423070212 | DI9's test network VNXT-20200423070212 ready for use | /infra/segments/BFD81823-EAC8-5C47-A5DE-E41A72254567 | /infra/segments/BFD81823-EAC8-5C47-A5DE-E41A72254567 | -",
        "Segment | B9CC71B7-29A7-561F-A117-C094EF2C4858 | VNXT-20200423123610 | DI9's test network VNXT-20200423123610 ready for use | /infra/segments/B9CC71B7-29A7-561F-A117-C094EF2C4858 | /infra/segments/B9CC71B7-29A7-561F-A117-C094EF2C4858 | -",
        "Segment | 7E324CC2-CBE2-5CBA-B7F7-7DC405CB588B | WINs | Windows VM test | /infra/segments/7E324CC2-CBE2-5CBA-B7F7-7DC405CB588B | /infra/segments/7E324CC2-CBE2-5CBA-B7F7-7DC405CB588B | -",
        "Segment | 939A3DEC-54C3-5602-A9B9-CF98606EA600 | Webservers | TST's test network | /infra/segments/939A3DEC-54C3-5602-A9B9-CF98606EA600 | /infra/segments/939A3DEC-54C3-5602-A9B9-CF98606EA600 | -",
    ]),
    ("policy-tier-1s-list-manageiq_1", list::<PolicyObject>, &[
        "count 10 cursor -",
        "Tier1 | 1211D584-221D-5DC0-9689-48DFE6A0560C | MAR-TIER1 | Test tenant van Marcel de Roo | /infra/tier-1s/1211D584-221D-5DC0-9689-48DFE6A0560C | /infra/tier-1s/1211D584-221D-5DC0-9689-48DFE6A0560C | -",
        "Tier1 | 2806566D-355D-5DED-A703-C844CA5E8215 | MDR-TIER1 | - | /infra/tier-1s/2806566D-355D-5DED-A703-C844CA5E8215 | /infra/tier-1s/2806566D-355D-5DED-A703-C844CA5E8215 | -",
        "Tier1 | T1-imro | T1-imro | - | /infra/tier-1s/T1-imro | /infra/tier-1s/T1-imro | -",
        "Tier1 | 60DAFA07-0251-5315-9725-EF7986A5176E | TIER-1 | - | /infra/tier-1s/60DAFA07-0251-5315-9725-EF7986A5176E | /infra/tier-1s/60DAFA07-0251-5315-9725-EF7986A5176E | -",
        "Tier1 | 36295100-8850-54EE-B907-AB533037BAD9 | TIER-1 | - | /infra/tier-1s/36295100-8850-54EE-B907-AB533037BAD9 | /infra/tier-1s/36295100-8850-54EE-B907-AB533037BAD9 | -",
        "Tier1 | D02547A5-A80E-5D86-B1B0-DC6EF3626D58 | TST-TIER1 | {{$description}} | /infra/tier-1s/D02547A5-A80E-5D86-B1B0-DC6EF3626D58 | /infra/tier-1s/D02547A5-A80E-5D86-B1B0-DC6EF3626D58 | -",
        "Tier1 | TenantA | TenantA-T1 | - | /infra/tier-1s/TenantA | /infra/tier-1s/TenantA | -",
        "Tier1 | F3A7A55C-9904-568E-B481-24FDEF76EA81 | VNX_T1 | - | /infra/tier-1s/F3A7A55C-9904-568E-B481-24FDEF76EA81 | /infra/tier-1s/F3A7A55C-9904-568E-B481-24FDEF76EA81 | -",
        "Tier1 | ruma-test | ruma-test | - | /infra/tier-1s/ruma-test | /infra/tier-1s/ruma-test | -",
        "Tier1 | 840F5D71-FB03-583C-AABC-8E0BC6108FEC | tier1 | - | /infra/tier-1s/840F5D71-FB03-583C-AABC-8E0BC6108FEC | /infra/tier-1s/840F5D71-FB03-583C-AABC-8E0BC6108FEC | -",
    ]),
    ("search-query-zhengxiexie_1", list::<PolicyObject>, &[
        "count 1 cursor 1",
        "Domain | f06fd228-8088-4439-a9e6-26c90a829c57 | f06fd228-8088-4439-a9e6-26c90a829c57 | - | /infra/domains/f06fd228-8088-4439-a9e6-26c90a829c57 | /infra | 7a5abfb3-90df-4abb-ba3e-3e07db09687c",
    ]),
    ("trust-certificates-list-pandom_1", list::<ManagerObject>, &[
        "count 4 cursor -",
        "certificate_self_signed | 492396e5-1714-4463-90a8-5a89dd191702 | MP Cluster Certificate | -",
        "certificate_self_signed | aae0d4bf-1ef4-4147-a8f8-bcdc09d455fc | NSX MP Client Certificate for Key Manager | Client certificate for TLS authentication with KeyManager",
        "certificate_self_signed | 351b8b76-6d1d-4193-806a-eb3cd5fc06a8 | ncp-nsx-t-superuser | -",
        "certificate_self_signed | a41c03dd-fd18-4420-ba50-fd9b85da3f3c | nsx-ncp-cert | -",
    ]),
    ("cluster-nodes-status-phspies_1", api_endpoints, &[
        "192.168.0.231 - 078532208c26753177acb8dff0c50d1d49bfb086c4e1f83a090702a4d7aa7801",
    ]),
    ("session-create-headers-pandom_1", session_headers, &[
        "336a4334-27db-422b-a8fc-b31fcf54f477",
        "JSESSIONID=083B61B81056E73C26A14330A8880BDA;",
    ]),
];
